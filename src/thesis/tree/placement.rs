//! Which worker a node belongs to (thesis 3.4.1).

/// Number of a worker, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u16);

/// Names a node that one worker keeps for another; the two workers and the address together are unique in an analysis.
///
/// Departs from Fig. 3.11: the employer chooses the address, counting from 0, when it sends the node for the first
/// time. So there is no message ADRESSE and no state in which a task waits for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeAddress(pub u32);

/// Where a node grows: its owner, and the name under which the parent's worker knows it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RemoteRef {
    pub owner: WorkerId,
    pub address: NodeAddress,
}

/// Spreads nodes over the workers by their keys, so that equal positions meet at one worker and its target tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub workers: u16,
}

impl Placement {
    /// The owner of a position.
    pub(crate) fn owner(self, key: u64) -> WorkerId {
        WorkerId((key % u64::from(self.workers)) as u16)
    }
}
