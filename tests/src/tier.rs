//! The tiers that a case is about.

use hookhost::Tier;
use serde::{Deserialize as _, Deserializer, de};

const ALL: [Tier; 2] = [Tier::Web, Tier::Node];

/// The one that a case names, or else all.
pub(crate) fn among(only: Option<Tier>) -> impl Iterator<Item = Tier> {
    ALL.into_iter().filter(move |tier| only.is_none_or(|only| only == *tier))
}

/// Reads a tier by its name.
pub(crate) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Tier>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(de::Error::custom)).transpose()
}
