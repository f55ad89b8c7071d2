//! Order of elimination by nested dissection: two parts that are not coupled to each other, then the nodes that
//! separate them, recursively. The parts can be eliminated in parallel.

use super::graph::BlockGraph;
use crate::vector::heap_bytes;

/// Smallest number of nodes that is divided.
const MIN_NODES: usize = 400;
/// Maximum depth of the recursion.
const MAX_DEPTH: usize = 2;
const NONE: u32 = u32::MAX;

/// Consecutive positions in the order of elimination: both children, then their separator. A leaf is a separator
/// without children.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Part {
    pub start: u32,
    pub separator: u32,
    pub end: u32,
    /// Index of the first child, the second follows; zero for a leaf.
    pub child: u32,
}

/// Order of elimination of the nodes of a [`BlockGraph`].
#[derive(Debug, Default)]
pub(super) struct Dissection {
    /// Node at each position.
    pub node: Vec<u32>,
    /// Position of each node.
    pub position: Vec<u32>,
    /// All nodes, then pairs of children.
    pub parts: Vec<Part>,
    /// Neighbours of each node: index of the first, and the end.
    start: Vec<u32>,
    neighbours: Vec<u32>,
    /// Part of each node.
    part: Vec<u32>,
    /// Nodes in the order of a breadth-first search.
    queue: Vec<u32>,
    /// Index in the queue of the first node of each level.
    levels: Vec<u32>,
    /// Level of each node.
    level: Vec<u32>,
}

impl Dissection {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.node,
            self.position,
            self.parts,
            self.start,
            self.neighbours,
            self.part,
            self.queue,
            self.levels,
            self.level
        )
    }

    /// Computes the order.
    pub(super) fn compute(&mut self, graph: &BlockGraph) {
        let n = graph.len();
        self.node.clear();
        self.node.extend(0..n as u32);
        self.parts.clear();
        self.parts.push(Part { end: n as u32, ..Part::default() });
        if n >= MIN_NODES {
            self.find_neighbours(graph);
            self.part.clear();
            self.part.resize(n, 0);
            self.level.clear();
            self.level.resize(n, NONE);
            self.divide(0, MAX_DEPTH);
        }
        self.position.clear();
        self.position.resize(n, 0);
        for (position, &node) in self.node.iter().enumerate() {
            self.position[node as usize] = position as u32;
        }
    }

    fn find_neighbours(&mut self, graph: &BlockGraph) {
        let Self { start, neighbours, .. } = self;
        let n = graph.len();
        start.clear();
        start.resize(n + 2, 0);
        let pairs =
            || (0..n).flat_map(|i| graph.edges_of(i).iter().map(move |e| (i, e.col as usize)));
        for (a, b) in pairs() {
            start[a + 2] += 1;
            start[b + 2] += 1;
        }
        for i in 2..n + 2 {
            start[i] += start[i - 1];
        }
        neighbours.clear();
        neighbours.resize(2 * graph.edges.len(), 0);
        for (a, b) in pairs() {
            for (from, to) in [(a, b), (b, a)] {
                neighbours[start[from + 1] as usize] = to as u32;
                start[from + 1] += 1;
            }
        }
    }

    /// Divides a part if it is large enough.
    fn divide(&mut self, index: usize, depth: usize) {
        let Part { start, end, .. } = self.parts[index];
        let range = start as usize..end as usize;
        if depth == 0 || range.len() < MIN_NODES {
            return;
        }
        // levels from a node that is far from the first one
        self.search(index, range.start);
        if let Some(&far) = self.queue.last() {
            self.node[range.clone()].sort_unstable_by_key(|&node| node != far);
            self.search(index, range.start);
        }
        let Some(level) = self.middle_level() else {
            self.node[range].sort_unstable();
            return;
        };
        self.split(index, level);
        let child = self.parts[index].child as usize;
        self.divide(child, depth - 1);
        self.divide(child + 1, depth - 1);
    }

    /// Breadth-first search in a part from the node at position `first` on, and from the next ones that are not
    /// connected to it.
    fn search(&mut self, index: usize, first: usize) {
        let Self { node, parts, start, neighbours, part, queue, levels, level, .. } = self;
        let nodes = &node[first..parts[index].end as usize];
        for &node in nodes {
            level[node as usize] = NONE;
        }
        queue.clear();
        levels.clear();
        for &seed in nodes {
            if level[seed as usize] != NONE {
                continue;
            }
            let mut next = queue.len();
            level[seed as usize] = levels.len() as u32;
            queue.push(seed);
            while next < queue.len() {
                levels.push(next as u32);
                let end = queue.len();
                for k in next..end {
                    let node = queue[k] as usize;
                    for &other in &neighbours[start[node] as usize..start[node + 1] as usize] {
                        if part[other as usize] == index as u32 && level[other as usize] == NONE {
                            level[other as usize] = levels.len() as u32;
                            queue.push(other);
                        }
                    }
                }
                next = end;
            }
        }
        levels.push(queue.len() as u32);
    }

    /// The smallest level among those in the middle of the search, if there are nodes on both sides.
    fn middle_level(&self) -> Option<usize> {
        let n = self.queue.len() as u32;
        let last = self.levels.len().checked_sub(2)?;
        let size = |k: usize| self.levels[k + 1] - self.levels[k];
        let half = self.levels.partition_point(|&start| start <= n / 2).clamp(1, last + 1) - 1;
        let middle =
            |&k: &usize| self.levels[k] >= 2 * n / 5 && self.levels[k + 1] <= n - 2 * n / 5;
        let level = (0..=last).filter(middle).min_by_key(|&k| size(k)).unwrap_or(half);
        (level > 0 && level < last).then_some(level)
    }

    /// Divides a part at a level of the search. Nodes of the level without a neighbour in the next one belong to the
    /// first child. The nodes of each part are sorted.
    fn split(&mut self, index: usize, cut: usize) {
        let Self { node, parts, start, neighbours, part, queue, level, .. } = self;
        let (own, child, cut) = (index as u32, parts.len() as u32, cut as u32);
        for &node in &*queue {
            let node = node as usize;
            let adjacent = &neighbours[start[node] as usize..start[node + 1] as usize];
            let is_in_next = |&other: &u32| {
                let other = other as usize;
                level[other] == cut + 1 && (part[other] == own || part[other] >= child)
            };
            part[node] = if level[node] > cut {
                child + 1
            } else if level[node] < cut || !adjacent.iter().any(is_in_next) {
                child
            } else {
                own
            };
        }
        let Part { start, end, .. } = parts[index];
        let nodes = &mut node[start as usize..end as usize];
        queue.sort_unstable();
        let mut count = [0; 3];
        let mut next = 0;
        for (k, of) in [child, child + 1, own].into_iter().enumerate() {
            for &node in queue.iter().filter(|&&node| part[node as usize] == of) {
                nodes[next] = node;
                next += 1;
                count[k] += 1;
            }
        }
        let middle = start + count[0];
        let separator = middle + count[1];
        parts[index] = Part { start, separator, end, child };
        parts.push(Part { start, separator: start, end: middle, child: 0 });
        parts.push(Part { start: middle, separator: middle, end: separator, child: 0 });
    }
}
