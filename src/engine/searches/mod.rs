//! The searches by name, each as a [`Search`](super::search::Search).

pub mod cc2s;
mod delegates;
pub(super) mod kept_root;
mod lazy_smp;
pub mod pvs;
mod reporter;
pub mod textbook;
pub mod thesis;
mod thesis_memory;
pub mod thesis_threads;
