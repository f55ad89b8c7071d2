//! Assignment of environments to groups: environments with similar constraint rows share a group, so that fewer rows
//! are masked. Results do not depend on it.

use crate::work::Work;
use sim_simd::lanes::Lanes;

/// Number of bits of a signature.
const BITS: usize = 256;

/// Set of the row blocks of an environment, the most significant bit first.
type Signature = [u64; BITS / 64];

/// Row blocks of all environments in one step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Regroup {
    /// Lanes with a block, in groups: block id, environment.
    entries: Vec<(u32, u32)>,
    /// Cost and number of environments of each block id.
    blocks: Vec<(f64, f64)>,
    signatures: Vec<(Signature, u32)>,
    /// Block ids in the order of their bits, and the bit of each id.
    ranks: Vec<usize>,
    bits: Vec<usize>,
}

impl Regroup {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.blocks.clear();
    }

    /// Records the blocks of a group; `environments` are those of its lanes.
    pub(crate) fn record<V: Lanes>(&mut self, w: &Work<V>, environments: &[u32]) {
        for block in &w.blocks {
            let id = block.id as usize;
            if self.blocks.len() <= id {
                self.blocks.resize(id + 1, (0.0, 0.0));
            }
            let columns = (block.cols.1 - block.cols.0) as f64;
            self.blocks[id].0 = columns * columns * block.nrow as f64;
            for (lane, &environment) in environments.iter().enumerate() {
                if block.lanes >> lane & 1 != 0 {
                    self.blocks[id].1 += 1.0;
                    self.entries.push((block.id, environment));
                }
            }
        }
    }

    /// Environments in an order in which neighbours have similar rows.
    pub(crate) fn order(&mut self, count: usize) -> impl Iterator<Item = u32> {
        // blocks that many environments have and many have not, and expensive ones, are sorted by first
        let score = |&(cost, number): &(f64, f64)| cost * number * (count as f64 - number);
        let Self { entries, blocks, signatures, ranks, bits } = self;
        ranks.clear();
        ranks.extend(0..blocks.len());
        let order = |&a: &usize, &b: &usize| score(&blocks[b]).total_cmp(&score(&blocks[a]));
        ranks.sort_unstable_by(|a, b| order(a, b).then(a.cmp(b)));
        bits.clear();
        bits.resize(blocks.len(), BITS);
        for (rank, &id) in ranks.iter().enumerate().take(BITS) {
            bits[id] = rank;
        }
        signatures.clear();
        signatures.extend((0..count).map(|e| ([0; BITS / 64], e as u32)));
        for &(id, environment) in &*entries {
            let bit = bits[id as usize];
            if let Some((signature, _)) = signatures.get_mut(environment as usize)
                && bit < BITS
            {
                signature[bit / 64] |= 1 << (63 - bit % 64);
            }
        }
        // Gray code: neighbours in the order differ in few leading bits
        for (signature, _) in &mut *signatures {
            let mut parity = 0;
            for word in signature {
                for shift in [1, 2, 4, 8, 16, 32] {
                    *word ^= *word >> shift;
                }
                *word ^= parity;
                parity = 0u64.wrapping_sub(*word & 1);
            }
        }
        signatures.sort_unstable();
        signatures.iter().map(|&(_, environment)| environment)
    }
}
