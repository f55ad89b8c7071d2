//! Fill-reducing ordering: approximate minimum degree on the quotient graph (Amestoy, Davis and
//! Duff, 1996).
//!
//! Indistinguishable dofs (a kinematic tree, or adjacent diagonal dofs in the same constraint rows)
//! are merged into one node of the graph. An element is a clique of nodes: initially the columns of
//! a constraint row, later the neighbours of an eliminated node.

use super::symbolic::RowPatterns;
use crate::problem::Inertia;
use crate::vector::heap_bytes;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// Minimum-degree ordering. The dof with the highest permuted index is eliminated first.
#[derive(Debug, Default)]
pub(super) struct MinimumDegree {
    /// Permuted index of each dof.
    pub iperm: Vec<u32>,
    /// Dof of each permuted index.
    pub perm: Vec<u32>,
    /// Graph node of each dof.
    node: Vec<u32>,
    /// Hash of the set of row patterns that contain a dof.
    hash: Vec<u64>,
    /// Number of dofs of each node.
    weight: Vec<u32>,
    /// Elements of the quotient graph: those of row patterns, then one for each node, formed when
    /// the node is eliminated.
    elements: Vec<Element>,
    /// Nodes of all elements.
    element_nodes: Vec<u32>,
    /// Adjacent elements of all nodes, not absorbed ones.
    adjacency: Vec<u32>,
    node_info: Vec<NodeInfo>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    mark: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// Assembly tree of the eliminated nodes.
    parent: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    stack: Vec<u32>,
    next: Vec<u32>,
}

/// Clique of the quotient graph.
#[derive(Debug, Default, Clone, Copy)]
struct Element {
    start: u32,
    end: u32,
    /// Total weight of its nodes.
    size: u32,
    /// Total weight of its nodes outside the newest element; valid if `stamp` matches.
    outside: u32,
    stamp: u32,
    /// The element was merged into a newer one.
    absorbed: bool,
}

/// Adjacency range and approximate external degree of a node.
#[derive(Debug, Default, Clone, Copy)]
struct NodeInfo {
    start: u32,
    len: u32,
    degree: u32,
    eliminated: bool,
}

impl MinimumDegree {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.iperm,
            self.perm,
            self.node,
            self.hash,
            self.weight,
            self.elements,
            self.element_nodes,
            self.adjacency,
            self.node_info,
            self.mark,
            self.pairs,
            self.parent,
            self.child,
            self.sibling,
            self.stack,
            self.next
        ) + self.heap.capacity() * 8
    }

    /// Computes the ordering from the sparsity of the inertia matrix and of the constraint rows.
    pub(super) fn compute(&mut self, inertia: &Inertia<'_>, row_patterns: &RowPatterns) {
        self.merge_indistinguishable(inertia, row_patterns);
        let nodes = self.weight.len();
        for v in [&mut self.mark, &mut self.parent, &mut self.child, &mut self.sibling] {
            v.clear();
            v.resize(nodes, NONE);
        }
        self.collect_elements(row_patterns);
        self.collect_adjacency();
        self.eliminate();
        self.assign_indices();
    }

    /// Merges indistinguishable dofs into nodes.
    fn merge_indistinguishable(&mut self, inertia: &Inertia<'_>, row_patterns: &RowPatterns) {
        let n = inertia.rownnz.len();
        self.hash.clear();
        self.hash.resize(n, 0);
        for row_pattern in 0..row_patterns.len() {
            let number = (row_pattern as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for &c in row_patterns.cols(row_pattern) {
                let hash = &mut self.hash[c as usize];
                *hash = (*hash ^ number).wrapping_mul(0x2545_F491_4F6C_DD1D);
            }
        }
        self.node.clear();
        self.weight.clear();
        for i in 0..n {
            let first = inertia.colind[inertia.rowadr[i] as usize] as usize;
            let is_diagonal = |i: usize| inertia.rownnz[i] == 1;
            let node = if first < i {
                self.node[first]
            } else if i > 0 && is_diagonal(i - 1) && self.hash[i] == self.hash[i - 1] {
                self.node[i - 1]
            } else {
                self.weight.push(0);
                self.weight.len() as u32 - 1
            };
            self.node.push(node);
            self.weight[node as usize] += 1;
        }
    }

    /// Initial elements: one for each row pattern with several nodes; pairs are deduplicated.
    fn collect_elements(&mut self, row_patterns: &RowPatterns) {
        let Self { node, weight, elements, element_nodes, pairs, mark, .. } = self;
        elements.clear();
        element_nodes.clear();
        pairs.clear();
        for row_pattern in 0..row_patterns.len() {
            let start = element_nodes.len();
            for &c in row_patterns.cols(row_pattern) {
                let node = node[c as usize];
                if mark[node as usize] != row_pattern as u32 {
                    mark[node as usize] = row_pattern as u32;
                    element_nodes.push(node);
                }
            }
            if let [a, b] = element_nodes[start..] {
                pairs.push((a.min(b), a.max(b)));
            }
            if element_nodes.len() - start <= 2 {
                element_nodes.truncate(start);
            } else {
                elements.push(Element::new(start, element_nodes, weight));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &(a, b) in &*pairs {
            let start = element_nodes.len();
            element_nodes.extend([a, b]);
            elements.push(Element::new(start, element_nodes, weight));
        }
        mark.fill(NONE);
    }

    /// Collects the adjacent elements and the initial degree of each node.
    fn collect_adjacency(&mut self) {
        let Self { elements, element_nodes, adjacency, node_info, weight, heap, .. } = self;
        node_info.clear();
        node_info.resize(weight.len(), NodeInfo::default());
        for &node in &*element_nodes {
            node_info[node as usize].len += 1;
        }
        let mut start = 0;
        for info in &mut *node_info {
            info.start = start;
            start += info.len;
            info.len = 0;
        }
        adjacency.clear();
        adjacency.resize(start as usize, 0);
        for (index, element) in elements.iter().enumerate() {
            for &node in &element_nodes[element.range()] {
                let info = &mut node_info[node as usize];
                adjacency[(info.start + info.len) as usize] = index as u32;
                info.len += 1;
                info.degree += element.size - weight[node as usize];
            }
        }
        heap.clear();
        heap.extend(node_info.iter().enumerate().map(|(i, info)| Reverse((info.degree, i as u32))));
    }

    /// Eliminates the nodes in order of increasing degree.
    fn eliminate(&mut self) {
        let rows = self.elements.len();
        self.elements.resize(rows + self.weight.len(), Element::default());
        while let Some(Reverse((degree, node))) = self.heap.pop() {
            let info = self.node_info[node as usize];
            if !info.eliminated && info.degree == degree {
                self.node_info[node as usize].eliminated = true;
                self.form_element(rows, node);
                self.update_degrees(rows, node);
            }
        }
    }

    /// Forms the element of an eliminated node, which absorbs the node's adjacent elements.
    fn form_element(&mut self, rows: usize, node: u32) {
        let Self { elements, element_nodes, adjacency, node_info, weight, mark, parent, .. } = self;
        let start = element_nodes.len();
        mark[node as usize] = node;
        let NodeInfo { start: first, len, .. } = node_info[node as usize];
        for &index in &adjacency[first as usize..(first + len) as usize] {
            let element = &mut elements[index as usize];
            for k in element.range() {
                let other = element_nodes[k];
                if mark[other as usize] != node {
                    mark[other as usize] = node;
                    element_nodes.push(other);
                }
            }
            element.absorbed = true;
            if let Some(child_node) = (index as usize).checked_sub(rows) {
                parent[child_node] = node;
            }
        }
        elements[rows + node as usize] = Element::new(start, element_nodes, weight);
    }

    /// Updates the adjacency and the approximate degrees of the neighbours of an eliminated node.
    fn update_degrees(&mut self, rows: usize, node: u32) {
        let Self { elements, element_nodes, adjacency, node_info, weight, heap, .. } = self;
        let index = rows + node as usize;
        let new_element = elements[index];
        for &i in &element_nodes[new_element.range()] {
            let NodeInfo { start, len, .. } = node_info[i as usize];
            let mut kept = start;
            for k in start..start + len {
                let other = adjacency[k as usize];
                let element = &mut elements[other as usize];
                if element.absorbed {
                    continue;
                }
                if element.stamp != node + 1 {
                    (element.stamp, element.outside) = (node + 1, element.size);
                }
                element.outside -= weight[i as usize];
                adjacency[kept as usize] = other;
                kept += 1;
            }
            // at least one of its elements was absorbed, so that there is room for the new one
            adjacency[kept as usize] = index as u32;
            node_info[i as usize].len = kept + 1 - start;
        }
        for &i in &element_nodes[new_element.range()] {
            let NodeInfo { start, len, .. } = node_info[i as usize];
            let mut degree = new_element.size - weight[i as usize];
            for &other in &adjacency[start as usize..(start + len - 1) as usize] {
                degree = degree.saturating_add(elements[other as usize].outside);
            }
            node_info[i as usize].degree = degree;
            heap.push(Reverse((degree, i)));
        }
    }

    /// Assigns permuted indices by a depth-first traversal of the assembly tree, largest child
    /// first, so that dofs with equal row patterns become adjacent (supernodes).
    fn assign_indices(&mut self) {
        let Self { parent, child, sibling, stack, elements, weight, next, node, .. } = self;
        let nodes = weight.len();
        let size = |i: u32| elements[elements.len() - nodes + i as usize].size + weight[i as usize];
        stack.clear();
        for i in (0..nodes as u32).rev() {
            let parent_node = parent[i as usize];
            if parent_node == NONE {
                stack.push(i);
                continue;
            }
            let first = child[parent_node as usize];
            if first == NONE || size(i) >= size(first) {
                sibling[i as usize] = first;
                child[parent_node as usize] = i;
            } else {
                sibling[i as usize] = sibling[first as usize];
                sibling[first as usize] = i;
            }
        }
        next.clear();
        next.resize(nodes, 0);
        let mut index = 0;
        while let Some(i) = stack.pop() {
            next[i as usize] = index;
            index += weight[i as usize];
            let first = child[i as usize];
            if first != NONE {
                let mut other = sibling[first as usize];
                while other != NONE {
                    stack.push(other);
                    other = sibling[other as usize];
                }
                stack.push(first);
            }
        }
        self.iperm.clear();
        self.perm.resize(node.len(), 0);
        for (i, &node) in node.iter().enumerate() {
            let index = &mut next[node as usize];
            self.iperm.push(*index);
            self.perm[*index as usize] = i as u32;
            *index += 1;
        }
    }
}

impl Element {
    fn new(start: usize, element_nodes: &[u32], weight: &[u32]) -> Self {
        Self {
            start: start as u32,
            end: element_nodes.len() as u32,
            size: element_nodes[start..].iter().map(|&i| weight[i as usize]).sum(),
            ..Self::default()
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
