//! The distribution of nodes over the workers (thesis 3.4.1).

/// The number of a worker, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u16);

/// The address of a node that one worker stores for another; unique in an analysis together with the two workers.
///
/// Departs from Fig. 3.11: the employer chooses the address, counting from 0, when it sends the node for the first
/// time. So there is no message ADRESSE and no state in which a task waits for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeAddress(pub u32);

/// The location of a node at another worker: its owner, and its address there for the parent's worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RemoteRef {
    pub owner: WorkerId,
    pub address: NodeAddress,
}

/// The distribution of nodes over the workers by their keys, so that equal positions share a worker and its target
/// tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub workers: u16,
}

impl Placement {
    pub(crate) fn owner(self, key: u64) -> WorkerId {
        WorkerId((key % u64::from(self.workers)) as u16)
    }
}
