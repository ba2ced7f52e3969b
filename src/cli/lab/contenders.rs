//! The searches that are compared with each other.

use anyhow::{Context as _, Result, bail};

use crate::engine::EvaluationChoice;
use crate::engine::config::Config;
use crate::engine::params::{EngineParams, ParameterEntry};
use crate::engine::registry::{SEARCHES, SearchEntry, find};
use crate::lab::contest::Entrant;

/// Those of the thesis's comparison, with the strongest classical search beside them.
pub(super) const CONTENDERS: [&str; 5] = [
    "name=Cc2s,search=Cc2s",
    "name=Cc1s,search=Cc1s",
    "name=thesis,search=Cc2s,profile=thesis",
    "name=cheiron97,search=PVS,profile=cheiron97",
    "name=PVS,search=PVS",
];

/// The search and the parameters that the options of an entrant stand for, applied in their order. An error names what
/// nobody knows; a running engine would pass over it and play something else.
pub(super) fn seat(entrant: &Entrant) -> Result<(&'static SearchEntry, EngineParams)> {
    let config = Config::built_in()?;
    let mut search = &SEARCHES[0];
    let mut params = config.params().clone();
    let mut evaluation = EvaluationChoice::default();
    for (name, value) in &entrant.options {
        if name.eq_ignore_ascii_case("Search") {
            search = find(SEARCHES, value).with_context(|| format!("no search '{value}'"))?;
        } else if name.eq_ignore_ascii_case("Profile") {
            let profile = config.profile(value);
            params.take_search_from(profile.with_context(|| format!("no profile '{value}'"))?);
        } else if name.eq_ignore_ascii_case("EvalFile") {
            evaluation.open(value)?;
        } else if name.eq_ignore_ascii_case("Evaluation") {
            evaluation.choose(value)?;
        } else {
            let entry = EngineParams::by_option_name(name);
            let entry = entry.with_context(|| format!("no option '{name}'"))?;
            set(&mut params, entry, value)?;
        }
    }
    params.leaf.evaluation = evaluation.kind();
    Ok((search, params))
}

fn set(params: &mut EngineParams, entry: ParameterEntry, value: &str) -> Result<()> {
    let number = match value {
        "true" => 1,
        "false" => 0,
        number => number
            .parse()
            .with_context(|| format!("'{number}' is no number"))?,
    };
    Ok(params.set(entry.section, entry.declaration.name, number)?)
}

/// Whether the options of all entrants that are this program are known.
pub(super) fn check(entrants: &[Entrant]) -> Result<()> {
    for entrant in entrants.iter().filter(|each| each.command.is_none()) {
        seat(entrant).with_context(|| entrant.name.clone())?;
    }
    Ok(())
}

/// The same for a command that cannot run other programs.
pub(super) fn seats(entrants: &[Entrant]) -> Result<Vec<(&'static SearchEntry, EngineParams)>> {
    if let Some(foreign) = entrants.iter().find(|each| each.command.is_some()) {
        bail!("{}: other programs can only play matches", foreign.name);
    }
    let seated = entrants
        .iter()
        .map(|entrant| seat(entrant).with_context(|| entrant.name.clone()));
    seated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seated(text: &str) -> Result<(&'static SearchEntry, EngineParams)> {
        seat(&text.parse().unwrap())
    }

    #[test]
    fn options_are_applied_in_their_order() {
        let (search, params) = seated("search=pvs,profile=thesis,option.Hash=7").unwrap();
        assert_eq!((search.name, params.engine.hash_mib), ("PVS", 7));
        assert!(params.cc2s.exact_root);
        let (search, params) =
            seated("option.ConspiracyMax=3,profile=cc1s,option.NullMove=false").unwrap();
        assert_eq!(search.name, SEARCHES[0].name);
        assert_eq!(
            (params.cc2s.conspiracy_max, params.cc2s.null_move),
            (1, false)
        );
    }

    #[test]
    fn what_nobody_knows_is_refused() {
        let refusal = |text: &str| seated(text).unwrap_err().to_string();
        assert_eq!(refusal("search=chance"), "no search 'chance'");
        assert_eq!(refusal("profile=bold"), "no profile 'bold'");
        assert_eq!(refusal("option.Courage=1"), "no option 'Courage'");
        assert_eq!(refusal("option.NullMove=maybe"), "'maybe' is no number");
        let foreign = ["cmd=/usr/games/phalanx".parse().unwrap()];
        assert!(check(&foreign).is_ok());
        assert!(seats(&foreign).is_err());
    }

    #[test]
    fn the_contenders_are_known() {
        let entrants = CONTENDERS.map(|text| text.parse().unwrap());
        assert_eq!(seats(&entrants).unwrap().len(), CONTENDERS.len());
    }
}
