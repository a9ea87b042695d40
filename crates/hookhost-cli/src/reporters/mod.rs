//! What came of fixtures, for people and for the programs that read it.

mod coverage;
mod details;
mod github;
mod human;
mod junit;

pub(crate) use coverage::{coverage, shown_percent};
pub(crate) use github::annotations;
pub(crate) use human::human;
pub(crate) use junit::junit;
