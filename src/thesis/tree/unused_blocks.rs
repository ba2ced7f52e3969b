/// The number of classes: the largest block holds 256 siblings, more than any node has.
pub(crate) const CLASSES: usize = 9;

/// The starts of unused blocks, by class.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnusedBlocks(pub(crate) [Vec<u32>; CLASSES]);

impl UnusedBlocks {
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}
