//! The frame and the templates of all pages.

use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;
use thiserror::Error;

use super::words::pawns;
use crate::game::Score;

/// A mismatch of template and data, which is a bug.
#[derive(Debug, Error)]
#[error("page: {0}")]
pub struct PageError(#[from] minijinja::Error);

const TEMPLATES: [(&str, &str); 3] = [
    ("frame.html", include_str!("templates/frame.html")),
    ("explain.html", include_str!("templates/explain.html")),
    ("annotate.html", include_str!("templates/annotate.html")),
];
const STYLE: &str = include_str!("templates/style.css");
const SCRIPT: &str = include_str!("templates/script.js");
const MEN: &str = include_str!("templates/men.svg");
const LOGO: &str = include_str!("../../docs/cc2s.svg");

/// Renders a template; its variable `page` contains `data`.
///
/// # Errors
/// The template uses a variable that the data lacks.
pub(super) fn render(
    template: &str,
    title: &str,
    data: &impl Serialize,
) -> Result<String, PageError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("score", |raw: i32| pawns(Score::from_raw(raw)));
    environment.add_filter("strategies", strategies);
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    let page = environment.get_template(template)?;
    Ok(page.render(context! {
        title => title,
        version => env!("CARGO_PKG_VERSION"),
        style => STYLE,
        script => SCRIPT,
        men => MEN,
        logo => LOGO,
        page => minijinja::value::Serde(data),
    })?)
}

/// A number of strategies as text; `None` means a proof by the rules of the game.
fn strategies(count: Option<u64>) -> String {
    match count {
        None => "certain".to_owned(),
        Some(0) => "not shown".to_owned(),
        Some(1) => "1 strategy".to_owned(),
        Some(many) => format!("{many} strategies"),
    }
}
