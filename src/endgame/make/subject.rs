//! The subject of a table: a class and its scale.

use super::Metric;
use super::awari::{self, GrandSlam, STONES_MAX};
use super::indexing::Indexing;
use super::material::Material;
use std::fmt;

/// The subject of a table.
///
/// Displays as the name of the table, its file name without extension: `KRvKP`, `KRvKP.wdl`, `awari-07-only`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A chess class. Entries are moves to mate on the distance scale, or results only on that of points: 1 for a
    /// win, -1 for a loss.
    Chess(Material, Metric),
    /// Awari with this number of stones, 1 to [`STONES_MAX`].
    Awari(u8, GrandSlam),
}

impl From<Material> for Subject {
    fn from(material: Material) -> Self {
        Self::Chess(material, Metric::Distance)
    }
}

impl Subject {
    /// Parses a table name.
    pub fn parse(name: &str) -> Option<Self> {
        let subject = if let Some(rest) = name.strip_prefix("awari-") {
            let (stones, rule) = rest.split_once('-')?;
            let rule = GrandSlam::ALL
                .into_iter()
                .find(|known| known.to_string() == rule)?;
            let stones = stones.parse().ok()?;
            (1..=STONES_MAX)
                .contains(&stones)
                .then_some(Self::Awari(stones, rule))?
        } else if let Some(class) = name.strip_suffix(".wdl") {
            Self::Chess(Material::parse(class)?, Metric::Points)
        } else {
            Material::parse(name)?.into()
        };
        // Numbers have several spellings, names only one.
        (subject.to_string() == name).then_some(subject)
    }

    /// The scale of the entries.
    pub const fn metric(self) -> Metric {
        match self {
            Self::Chess(_, metric) => metric,
            Self::Awari(..) => Metric::Points,
        }
    }

    /// Entries per side to move.
    pub fn entries(self) -> u32 {
        match self {
            Self::Chess(material, _) => Indexing::new(material).size(),
            Self::Awari(stones, _) => awari::size(stones),
        }
    }

    /// The number of sides with separate entries: two in chess, one in awari, where both sides see the same.
    pub const fn sides(self) -> u32 {
        match self {
            Self::Chess(..) => 2,
            Self::Awari(..) => 1,
        }
    }

    /// Returns the subjects reached by one move.
    pub fn exits(self) -> Vec<Self> {
        let chess = |classes: Vec<Material>, metric| {
            classes
                .into_iter()
                .map(|class| Self::Chess(class, metric))
                .collect()
        };
        match self {
            Self::Chess(material, metric) => chess(material.exits(), metric),
            Self::Awari(stones, rule) => {
                (1..stones).map(|fewer| Self::Awari(fewer, rule)).collect()
            }
        }
    }

    /// Returns `subjects` and all their dependencies, each once and after its own dependencies.
    pub fn in_order(subjects: &[Self]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for &subject in subjects {
            match subject {
                Self::Chess(material, metric) => {
                    all.extend(
                        material
                            .needs()
                            .into_iter()
                            .map(|need| Self::Chess(need, metric)),
                    );
                }
                Self::Awari(..) => all.extend(subject.exits()),
            }
            all.push(subject);
        }
        all.sort_by_cached_key(|subject| match *subject {
            Self::Chess(material, metric) => (
                0,
                usize::from(metric == Metric::Points),
                Some(material.order()),
            ),
            Self::Awari(stones, rule) => (1 + rule as usize, stones.into(), None),
        });
        all.dedup();
        all
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Chess(material, Metric::Distance) => material.to_string(),
            Self::Chess(material, Metric::Points) => format!("{material}.wdl"),
            Self::Awari(stones, rule) => format!("awari-{stones:02}-{rule}"),
        };
        f.pad(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_subjects_are_the_same_thing() {
        for name in [
            "KQvK",
            "KRvKP",
            "KRvKP.wdl",
            "awari-01-all",
            "awari-30-nothing",
        ] {
            let subject = Subject::parse(name).expect("a name");
            assert_eq!(subject.to_string(), name);
            assert!(name.len() <= 16, "{name} fits no header");
        }
        for name in [
            "",
            "KvK",
            "KRvKP.dtm",
            "awari-1-all",
            "awari-00-all",
            "awari-31-all",
            "awari-+7-all",
            "awari-07",
        ] {
            assert_eq!(Subject::parse(name), None, "{name}");
        }
    }

    #[test]
    fn every_need_comes_first() {
        let chess = |metric| {
            Material::with_men(4)
                .into_iter()
                .map(move |class| Subject::Chess(class, metric))
        };
        let awari = [
            Subject::Awari(9, GrandSlam::OnlyMove),
            Subject::Awari(4, GrandSlam::CapturesAll),
        ];
        let wanted: Vec<_> = awari
            .into_iter()
            .chain(chess(Metric::Points))
            .chain(chess(Metric::Distance))
            .collect();
        let order = Subject::in_order(&wanted);
        assert_eq!(order.len(), 35 + 35 + 9 + 4);
        for (at, subject) in order.iter().enumerate() {
            assert!(
                subject
                    .exits()
                    .iter()
                    .all(|exit| order[..at].contains(exit)),
                "{subject}"
            );
        }
    }
}
