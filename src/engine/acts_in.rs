//! The searches in which a parameter is used.

use crate::settings::{EngineParams, ParameterEntry};

/// The kind of a search, which decides which parameters are used in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Controlled conspiracy number search, with delegation or without.
    Cc2s,
    /// The same with one strategy, whatever the parameters say.
    Cc1s,
    /// Alpha-beta with all its techniques.
    AlphaBeta,
    /// Alpha-beta and minimax without techniques, over quiescence.
    Textbook,
}

/// Where a parameter is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsIn {
    /// Every search.
    Everything,
    /// Searches with a table and with techniques of alpha-beta.
    AllButTextbook,
    /// Alpha-beta that looks far ahead.
    DeepAlphaBeta,
    /// Conspiracy number search of any kind.
    Cc2sAndCc1s,
    /// Targets delegated to alpha-beta.
    Delegation,
    /// Second strategies beside delegated targets.
    SecondStrategies,
    /// The stored tree of the thesis.
    Tree,
    /// Several strategies in that tree.
    TreeStrategies,
    /// That tree, where several threads share it.
    SharedTree,
    /// That tree, spread over the workers of a cluster.
    Cluster,
}

/// Parameters of `team` for threads that share a tree, beside those that begin with [`JOB`].
const OF_SHARED_TREE: [&str; 4] = [
    "leftmost_first",
    "waste_risk_last",
    "same_position_waits",
    "stealing_depth_min",
];
/// Beginning of the names of parameters of subtree jobs.
const JOB: &str = "job_";

/// Parameters that do nothing while another of their section is off, at its least value: section, name, the other.
const NEEDS: [(&str, &str, &str); 8] = [
    ("delegation", "secure_lag", "conspiracy"),
    ("delegation", "secure_permille", "conspiracy"),
    ("delegation", "secure_analysis_permille", "conspiracy"),
    ("delegation", "strategy_margin_cp", "conspiracy"),
    ("cc2s", "null_move_reduction", "null_move"),
    ("leaf", "verified_null_move", "null_move"),
    ("leaf", "futility_cp", "futility"),
    ("leaf", "reverse_futility_cp", "reverse_futility"),
];

impl ActsIn {
    /// All places, each once.
    pub const ALL: [Self; 10] = [
        Self::Everything,
        Self::AllButTextbook,
        Self::DeepAlphaBeta,
        Self::Cc2sAndCc1s,
        Self::Delegation,
        Self::SecondStrategies,
        Self::Tree,
        Self::TreeStrategies,
        Self::SharedTree,
        Self::Cluster,
    ];

    /// Where this parameter is used.
    pub fn of(entry: ParameterEntry) -> Self {
        match (entry.section, entry.declaration.name) {
            ("engine", _) => Self::AllButTextbook,
            ("delegation", "delegate") => Self::Cc2sAndCc1s,
            ("delegation", "conspiracy" | "strategy_margin_cp")
            | ("time", "margin_even_cp" | "margin_weight_permille") => Self::SecondStrategies,
            ("delegation", name) if name.starts_with("secure_") => Self::SecondStrategies,
            ("delegation", _) => Self::Delegation,
            ("cc2s", "conspiracy_max") => Self::TreeStrategies,
            ("cc2s", _) | ("leaf", "eval_depth" | "node_cap") => Self::Tree,
            ("team", name) if OF_SHARED_TREE.contains(&name) || name.starts_with(JOB) => {
                Self::SharedTree
            }
            ("team", _) => Self::Cluster,
            ("leaf", "follow_up_history" | "correction_history" | "internal_reduction") => {
                Self::DeepAlphaBeta
            }
            ("leaf", name) if name != "evaluation_error_cp" => Self::AllButTextbook,
            _ => Self::Everything,
        }
    }

    /// Whether that is part of a search of this family with these parameters.
    pub fn is_part_of(self, family: Family, params: &EngineParams) -> bool {
        let is_cc2s = matches!(family, Family::Cc2s | Family::Cc1s);
        let delegates = is_cc2s && params.delegation.delegate;
        let has_tree = is_cc2s && !delegates;
        match self {
            Self::Everything => true,
            Self::AllButTextbook => family != Family::Textbook,
            Self::DeepAlphaBeta => delegates || family == Family::AlphaBeta,
            Self::Cc2sAndCc1s => is_cc2s,
            Self::Delegation => delegates,
            Self::SecondStrategies => delegates && family == Family::Cc2s,
            Self::Tree => has_tree,
            Self::TreeStrategies => has_tree && family == Family::Cc2s,
            Self::SharedTree => has_tree && params.engine.threads > 1,
            Self::Cluster => false,
        }
    }

    /// The place, in words that follow "it is used".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Everything => "in every search",
            Self::AllButTextbook => "in all searches but those of the textbook",
            Self::DeepAlphaBeta => "in PVS, MTDf, and Cc2s and Cc1s with delegation",
            Self::Cc2sAndCc1s => "in Cc2s and Cc1s",
            Self::Delegation => "in Cc2s and Cc1s with delegation",
            Self::SecondStrategies => "in Cc2s with delegation",
            Self::Tree => "in Cc2s and Cc1s without delegation (Profile alone or thesis)",
            Self::TreeStrategies => "in Cc2s without delegation (Profile alone or thesis)",
            Self::SharedTree => {
                "in Cc2s and Cc1s without delegation (Profile alone or thesis) with several Threads"
            }
            Self::Cluster => "on simulated clusters only (cc2s lab)",
        }
    }
}

/// Why a parameter has no effect in a search of this family with these parameters; `None` where it has one.
pub(super) fn without_effect(
    entry: ParameterEntry,
    family: Family,
    params: &EngineParams,
) -> Option<String> {
    let place = ActsIn::of(entry);
    if !place.is_part_of(family, params) {
        return Some(format!("it is used {}", place.words()));
    }
    let is_it = |(section, name, _): &&(&str, &str, &str)| {
        (*section, *name) == (entry.section, entry.declaration.name)
    };
    let (section, _, needed) = NEEDS.iter().find(is_it)?;
    let is_needed =
        |entry: &ParameterEntry| (entry.section, entry.declaration.name) == (*section, *needed);
    let needed_entry = EngineParams::entries().find(is_needed)?;
    let is_off = params.get(section, needed) == Some(needed_entry.declaration.min);
    is_off.then(|| format!("it needs {}", needed_entry.option_name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::parse_fen;
    use crate::chess::{Line, Move};
    use crate::engine::registry::{self, SEARCHES};
    use crate::engine::search::{Question, RootUpdate, SearchListener};
    use crate::game::Progress;
    use std::collections::BTreeSet;

    /// Everything a search says.
    #[derive(Default, PartialEq, Debug)]
    struct RecordedUpdates(Vec<RootUpdate>);

    impl SearchListener<Move> for RecordedUpdates {
        fn proceed(&mut self, _: &Progress) -> bool {
            true
        }
        fn report(&mut self, report: &RootUpdate) {
            self.0.push(report.clone());
        }
    }

    fn words_of(search: &str, depth: u16, params: &EngineParams) -> RecordedUpdates {
        let entry = registry::find(SEARCHES, search).unwrap();
        let mut search = (entry.build)(params).unwrap();
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let question = Question {
            depth: Some(depth),
            ..Question::about(Line::new(parse_fen(fen).unwrap()))
        };
        let mut words = RecordedUpdates::default();
        search.think(&question, &mut words);
        words
    }

    fn with(changes: &[(&str, &str, i64)]) -> EngineParams {
        let mut params = EngineParams::default();
        params.engine.hash_mib = 1;
        for (section, name, value) in changes {
            params.set(section, name, *value).unwrap();
        }
        params
    }

    /// The parameters said to be without effect, each tried at two other values: the search must not say another word.
    fn without_effect_in(search: &str, depth: u16, params: &EngineParams) -> Vec<String> {
        let family = registry::find(SEARCHES, search).unwrap().family;
        let expected = words_of(search, depth, params);
        assert!(!expected.0.is_empty(), "{search}");
        let is_idle = |entry: &ParameterEntry| without_effect(*entry, family, params).is_some();
        let idle: Vec<_> = EngineParams::entries().filter(is_idle).collect();
        for ParameterEntry {
            section,
            declaration,
        } in &idle
        {
            let most = declaration.max.min(declaration.default + 2);
            for value in [declaration.min, most] {
                let mut changed = params.clone();
                changed
                    .set(section, declaration.name, value.into())
                    .unwrap();
                let said = words_of(search, depth, &changed);
                assert_eq!(said, expected, "{search}: {} = {value}", declaration.name);
            }
        }
        idle.iter().map(ParameterEntry::option_name).collect()
    }

    #[test]
    fn what_is_said_to_have_no_effect_has_none() {
        let tree = with(&[("delegation", "delegate", 0)]);
        let bare = with(&[
            ("leaf", "null_move", 0),
            ("leaf", "futility", 0),
            ("leaf", "reverse_futility", 0),
            ("delegation", "conspiracy", 1),
        ]);
        for (search, depth, params, some) in [
            (
                "Cc2s",
                7,
                &with(&[]),
                "ConspiracyMax EvalDepth RiseDepth Prefetch JobDepthMax",
            ),
            (
                "Cc2s",
                6,
                &bare,
                "FutilityCp ReverseFutilityCp VerifiedNullMove SecureLag",
            ),
            (
                "Cc1s",
                6,
                &with(&[]),
                "Conspiracy ConspiracyMax StrategyMarginCp",
            ),
            (
                "Cc2s",
                3,
                &tree,
                "Conspiracy AspirationCp FollowUpHistory Prefetch JobDepthMax",
            ),
            ("Cc1s", 3, &tree, "ConspiracyMax"),
            (
                "PVS",
                5,
                &with(&[]),
                "Delegate Conspiracy ConspiracyMax EvalDepth NodeCap",
            ),
            (
                "NegaScout",
                2,
                &with(&[]),
                "Hash Threads LeafNullMove TranspositionTable Delegate",
            ),
        ] {
            let idle = without_effect_in(search, depth, params);
            for name in some.split(' ') {
                assert!(idle.iter().any(|other| other == name), "{search}: {name}");
            }
        }
    }

    #[test]
    fn what_people_set_acts_where_it_is_said_to() {
        let tree = with(&[("delegation", "delegate", 0)]);
        let cases = [
            (&tree, 5, "cc2s", "conspiracy_max"),
            (&tree, 3, "leaf", "eval_depth"),
            (&with(&[]), 9, "delegation", "conspiracy"),
        ];
        for (params, depth, section, name) in cases {
            let is_it =
                |entry: &ParameterEntry| (entry.section, entry.declaration.name) == (section, name);
            let entry = EngineParams::entries().find(is_it).unwrap();
            assert_eq!(without_effect(entry, Family::Cc2s, params), None, "{name}");
            let mut changed = params.clone();
            let least = entry.declaration.min;
            changed.set(section, name, least.into()).unwrap();
            let [one, other] = [params, &changed].map(|params| words_of("Cc2s", depth, params));
            assert_ne!(one, other, "{name}");
        }
    }

    #[test]
    fn what_a_parameter_needs_is_a_parameter() {
        let known: BTreeSet<_> = EngineParams::entries()
            .map(|entry| (entry.section, entry.declaration.name))
            .collect();
        for (section, name, needed) in NEEDS {
            assert!(known.contains(&(section, name)) && known.contains(&(section, needed)));
        }
        for name in OF_SHARED_TREE {
            assert!(known.contains(&("team", name)), "{name}");
        }
    }
}
