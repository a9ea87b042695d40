//! `hookhost chat`: a conversation with a model whose tools are guarded by the project's hooks.

mod approver;
mod history;
mod lines;
mod model;
mod screen;
mod tools;
mod turn;

pub(crate) use approver::TerminalApprover;
pub(crate) use history::History;
pub(crate) use lines::Lines;
pub(crate) use model::{Model, OpenAi, Script};
pub(crate) use screen::Screen;
pub(crate) use tools::Tools;
pub(crate) use turn::run as run_turn;
