//! What single rewrites give, shown as SMT-LIB text.

mod comparisons;
mod given;
mod other;
mod pieces;
