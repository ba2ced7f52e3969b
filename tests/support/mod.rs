//! Code shared by several test programs.
#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod brute_force;
pub mod cc2s_run;
pub mod environment;
pub mod sequential;
