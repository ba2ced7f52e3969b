//! The memory of sibling blocks: a buddy system, in which freed blocks are merged again.
//!
//! A block of class c has 2^c slots and starts at a multiple of that. The two halves of a larger block are
//! buddies; when both are unused they are merged. An unused block is marked in its first slot, so the lists need
//! no further memory.

use super::node::TreeNode;
use super::search_tree::{Tree, TreeFull};
use super::unused_blocks::CLASSES;

impl<M: Copy + Eq> Tree<M> {
    /// Allocates a block of this class; its slots are undefined until they are written.
    pub(crate) fn allocate(&mut self, class: u8) -> Result<u32, TreeFull> {
        let larger =
            (class..CLASSES as u8).find(|&larger| !self.unused.0[larger as usize].is_empty());
        let start = match larger {
            Some(larger) => self.take_unused(larger, class),
            None => self.append(class)?,
        };
        self.used += 1 << class;
        Ok(start)
    }

    /// Whether `slots` more can be stored, including a block of the largest class.
    pub(crate) fn has_room(&self, slots: usize) -> bool {
        let largest = 1 << (CLASSES - 1);
        let end = self.nodes.len().next_multiple_of(largest) + largest;
        let has_block = !self.unused.0[CLASSES - 1].is_empty() || end <= self.capacity;
        has_block && self.used + slots <= self.capacity
    }

    /// Frees a block, merging it with its buddy as often as that is unused too.
    pub(crate) fn release(&mut self, mut start: u32, mut class: u8) {
        self.used -= 1 << class;
        while usize::from(class) + 1 < CLASSES {
            let buddy = start ^ (1 << class);
            let is_unused = self
                .nodes
                .get(buddy as usize)
                .is_some_and(|node| node.is_unused(class));
            if !is_unused {
                break;
            }
            self.withdraw(buddy, class);
            start = start.min(buddy);
            class += 1;
        }
        self.offer(start, class);
    }

    /// Takes an unused block of class `larger` and offers the halves that are not needed.
    fn take_unused(&mut self, larger: u8, class: u8) -> u32 {
        let start = *self.unused.0[larger as usize]
            .last()
            .expect("the list holds a block");
        self.withdraw(start, larger);
        for half in class..larger {
            self.offer(start + (1 << half), half);
        }
        start
    }

    /// Appends a block behind all others; the slots skipped by alignment are offered.
    fn append(&mut self, class: u8) -> Result<u32, TreeFull> {
        let size = 1usize << class;
        let end = self.nodes.len().next_multiple_of(size) + size;
        if end > self.capacity {
            return Err(TreeFull);
        }
        let mut gap = self.nodes.len();
        let filler = self.nodes[0];
        self.nodes.resize(end, filler);
        while !gap.is_multiple_of(size) {
            let class = gap.trailing_zeros() as u8;
            self.offer(gap as u32, class);
            gap += 1 << class;
        }
        Ok(gap as u32)
    }

    fn offer(&mut self, start: u32, class: u8) {
        let list = &mut self.unused.0[class as usize];
        let filler = self.nodes[start as usize];
        self.nodes[start as usize] = TreeNode::unused(filler, class, list.len());
        list.push(start);
    }

    fn withdraw(&mut self, start: u32, class: u8) {
        let place = self.nodes[start as usize].first as usize;
        let list = &mut self.unused.0[class as usize];
        list.swap_remove(place);
        if let Some(&moved) = list.get(place) {
            self.nodes[moved as usize].first = place as u32;
        }
        // The mark is removed with the block: a stale one inside a larger block could be taken for a buddy.
        let filler = self.nodes[0];
        self.nodes[start as usize] = filler;
    }
}
