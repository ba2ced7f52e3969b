//! Game trees written down literally: the thesis's examples and enumerated small trees.
