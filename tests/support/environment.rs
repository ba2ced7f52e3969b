//! Environment variables that control the tests.

/// The value of a variable; `None` if it is unset or empty.
pub fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.into_string().expect("a variable in Unicode"))
}

/// The variable as a number, or `default`.
#[allow(dead_code, reason = "not every test counts")]
pub fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    variable(name).map_or(default, |value| {
        let number = value.parse().ok();
        number.unwrap_or_else(|| panic!("{name} must be a number, not '{value}'"))
    })
}
