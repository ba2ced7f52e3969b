//! The laboratory: experiments, self-play and the training of the network.

mod adam;
pub mod book;
pub mod calibration;
pub mod cluster;
pub mod course;
pub mod fit;
pub mod granularity;
pub mod levels;
mod node_limit;
pub mod plot;
pub mod quality;
pub mod reality;
pub mod safety;
pub mod selfplay;
pub mod speedup;
pub mod targets;
pub mod train;
pub mod tune;
pub mod variants;
pub mod wdl;
