//! A message in memory that is MPI's until the receiver has taken it in.
//!
//! MPI reads what it sends until then, also messages that it calls eager: with Open MPI 4.1 on one machine, all those
//! of more than some 500 bytes. That the memory is left alone for so long Rust cannot check, unless all is borrowed
//! for one scope, which then does not end while a single receiver has stopped. Hence the `unsafe`; what it buys is
//! measured in docs/cluster.md.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;

use mpi::point_to_point::Destination;
use mpi::request::{Request, StaticScope};

/// A message that MPI has yet to read. Dropping it leaves MPI its memory for good.
pub(super) struct Sending {
    request: ManuallyDrop<Request<'static, [u8]>>,
    bytes: *mut [u8],
}

impl Sending {
    /// MPI is to send that.
    pub(super) fn begin(receiver: &impl Destination, bytes: &[u8]) -> Self {
        let bytes = Box::into_raw(Box::<[u8]>::from(bytes));
        // SAFETY: the memory is a box's that nobody else knows of; it is given free by `finish` alone, which is when
        // MPI no longer reads it and `request`, the only one to hold this reference, is gone. Nobody writes to it
        // before.
        let lent: &'static [u8] = unsafe { &*bytes };
        let request = receiver.immediate_send(StaticScope, lent);
        Self {
            request: ManuallyDrop::new(request),
            bytes,
        }
    }

    /// The message again if MPI is not done.
    pub(super) fn finish(self) -> Result<(), Self> {
        let Self { request, bytes } = self;
        match ManuallyDrop::into_inner(request).test() {
            Ok(_) => {
                // SAFETY: `begin` made it of a box, MPI is done, and the request that held the reference is no
                // more.
                drop(unsafe { Box::from_raw(bytes) });
                Ok(())
            }
            Err(unfinished) => Err(Self {
                request: ManuallyDrop::new(unfinished),
                bytes,
            }),
        }
    }
}
