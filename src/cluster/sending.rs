//! A message in memory that belongs to MPI until the receiver has taken it.
//!
//! MPI reads the memory until then, even for messages that it calls eager. With Open MPI 4.1 on one machine, these
//! are messages of more than about 500 bytes. Rust cannot check that the memory stays untouched for so long,
//! unless everything is borrowed for one scope. Such a scope does not end while a single receiver has stopped.
//! Hence the `unsafe`; its benefit is measured in docs/cluster.md.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;

use mpi::point_to_point::Destination;
use mpi::request::{Request, StaticScope};

/// A message that MPI has yet to read. Dropping it leaks its memory to MPI.
pub(super) struct Sending {
    request: ManuallyDrop<Request<'static, [u8]>>,
    bytes: *mut [u8],
}

impl Sending {
    /// Starts sending `bytes`.
    pub(super) fn begin(receiver: &impl Destination, bytes: &[u8]) -> Self {
        let bytes = Box::into_raw(Box::<[u8]>::from(bytes));
        // SAFETY: the memory belongs to a box that nothing else refers to. Only `finish` frees it, when MPI no
        // longer reads it and `request`, the only holder of this reference, is gone. Nothing writes to it before.
        let lent: &'static [u8] = unsafe { &*bytes };
        let request = receiver.immediate_send(StaticScope, lent);
        Self {
            request: ManuallyDrop::new(request),
            bytes,
        }
    }

    /// Frees the message if MPI is done with it; returns it otherwise.
    pub(super) fn finish(self) -> Result<(), Self> {
        let Self { request, bytes } = self;
        match ManuallyDrop::into_inner(request).test() {
            Ok(_) => {
                // SAFETY: `begin` made it from a box, MPI is done, and the request that held the reference is
                // gone.
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
