//! The differences between two sets of conditions.

use serde::Serialize;
use serde_json::Value;

/// Returns the differences as `place: found there, wanted here`, in the order of the fields.
pub(super) fn differences<T: Serialize>(found: &T, wanted: &T) -> Vec<String> {
    let value = |data| serde_json::to_value(data).expect("conditions are plain data");
    let mut all = Vec::new();
    compare("", &value(found), &value(wanted), &mut all);
    all
}

fn compare(place: &str, found: &Value, wanted: &Value, all: &mut Vec<String>) {
    match (found, wanted) {
        _ if found == wanted => {}
        (Value::Object(there), Value::Object(here)) => {
            let others = here.keys().filter(|key| !there.contains_key(*key));
            for key in there.keys().chain(others) {
                let inner = if place.is_empty() {
                    key.clone()
                } else {
                    format!("{place}.{key}")
                };
                let of =
                    |map: &serde_json::Map<_, Value>| map.get(key).cloned().unwrap_or_default();
                compare(&inner, &of(there), &of(here), all);
            }
        }
        (Value::Array(there), Value::Array(here)) if there.len() == here.len() => {
            for (at, (there, here)) in there.iter().zip(here).enumerate() {
                compare(&format!("{place}[{}]", at + 1), there, here, all);
            }
        }
        _ => all.push(format!("{place} is {found} there and {wanted} here")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_named() {
        let there = json!({"rules": {"margin": 0, "draw": null}, "players": [{"name": "a"}, {"name": "b"}], "file": "x"});
        let here = json!({"rules": {"margin": 5, "draw": [1, 2]}, "players": [{"name": "a"}, {"name": "c"}], "file": "x"});
        let mut said = differences(&there, &here);
        said.sort();
        let wanted = [
            "players[2].name is \"b\" there and \"c\" here",
            "rules.draw is null there and [1,2] here",
            "rules.margin is 0 there and 5 here",
        ];
        assert_eq!(said, wanted);
        assert!(differences(&here, &here).is_empty());
        let (fewer, more) = (
            json!({"players": [1]}),
            json!({"players": [1, 2], "new": 3}),
        );
        assert_eq!(differences(&fewer, &more).len(), 2);
    }
}
