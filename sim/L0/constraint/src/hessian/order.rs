//! The order in which dofs are eliminated, chosen so that few entries of the factor are new.
//!
//! Dofs that belong together (a tree of the inertia, or neighbours that the same rows act on) are
//! one node of a graph, and a row that acts on several nodes couples them all. The node with the
//! fewest neighbours is eliminated first; its neighbours are then coupled (minimum degree, with
//! the approximate degrees of Amestoy, Davis and Duff).

use super::pattern::Shapes;
use crate::problem::Inertia;
use crate::vector::held;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// The order, and the memory of the search for it. Places are counted from the dof that is
/// eliminated last, so that elimination goes from the last place to the first.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Place of each dof.
    pub place: Vec<u32>,
    /// Dof of each place.
    pub dof: Vec<u32>,
    /// For each dof: its node.
    node: Vec<u32>,
    /// Sum over the rows that act on a dof, of a number for each.
    label: Vec<u64>,
    /// Dofs of each node.
    weight: Vec<u32>,
    /// Groups of nodes that are all coupled: first those of rows, then one for each node, made
    /// when it is eliminated.
    groups: Vec<Group>,
    members: Vec<u32>,
    /// The living groups of each node.
    lists: Vec<u32>,
    list: Vec<List>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    mark: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// The tree of eliminations.
    parent: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    stack: Vec<u32>,
    next: Vec<u32>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Group {
    start: u32,
    end: u32,
    /// Weight of its members, and of those that are not in the newest group.
    size: u32,
    rest: u32,
    stamp: u32,
    dead: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct List {
    start: u32,
    len: u32,
    degree: u32,
    done: bool,
}

impl Order {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(
            self.place,
            self.dof,
            self.node,
            self.label,
            self.weight,
            self.groups,
            self.members,
            self.lists,
            self.list,
            self.mark,
            self.pairs,
            self.parent,
            self.child,
            self.sibling,
            self.stack,
            self.next
        ) + self.heap.capacity() * 8
    }

    /// Finds the order for an inertia and the columns of constraint rows.
    pub(super) fn find(&mut self, inertia: &Inertia<'_>, shapes: &Shapes) {
        self.find_nodes(inertia, shapes);
        let nodes = self.weight.len();
        for v in [&mut self.mark, &mut self.parent, &mut self.child, &mut self.sibling] {
            v.clear();
            v.resize(nodes, NONE);
        }
        self.find_groups(shapes);
        self.list_groups();
        self.eliminate();
        self.assign_places();
    }

    fn find_nodes(&mut self, inertia: &Inertia<'_>, shapes: &Shapes) {
        let n = inertia.rownnz.len();
        self.label.clear();
        self.label.resize(n, 0);
        for shape in 0..shapes.len() {
            let number = (shape as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for &c in shapes.cols(shape) {
                let label = &mut self.label[c as usize];
                *label = (*label ^ number).wrapping_mul(0x2545_F491_4F6C_DD1D);
            }
        }
        self.node.clear();
        self.weight.clear();
        for i in 0..n {
            let first = inertia.colind[inertia.rowadr[i] as usize] as usize;
            let alone = |i: usize| inertia.rownnz[i] == 1;
            let node = if first < i {
                self.node[first]
            } else if i > 0 && alone(i - 1) && self.label[i] == self.label[i - 1] {
                self.node[i - 1]
            } else {
                self.weight.push(0);
                self.weight.len() as u32 - 1
            };
            self.node.push(node);
            self.weight[node as usize] += 1;
        }
    }

    /// The groups of nodes that rows couple.
    fn find_groups(&mut self, shapes: &Shapes) {
        let Self { node, weight, groups, members, pairs, mark, .. } = self;
        groups.clear();
        members.clear();
        pairs.clear();
        for shape in 0..shapes.len() {
            let start = members.len();
            for &c in shapes.cols(shape) {
                let node = node[c as usize];
                if mark[node as usize] != shape as u32 {
                    mark[node as usize] = shape as u32;
                    members.push(node);
                }
            }
            if let [a, b] = members[start..] {
                pairs.push((a.min(b), a.max(b)));
            }
            if members.len() - start <= 2 {
                members.truncate(start);
            } else {
                groups.push(Group::new(start, members, weight));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &(a, b) in &*pairs {
            let start = members.len();
            members.extend([a, b]);
            groups.push(Group::new(start, members, weight));
        }
        mark.fill(NONE);
    }

    /// Lists the groups of each node, and their first degrees.
    fn list_groups(&mut self) {
        let Self { groups, members, lists, list, weight, heap, .. } = self;
        list.clear();
        list.resize(weight.len(), List::default());
        for &node in &*members {
            list[node as usize].len += 1;
        }
        let mut start = 0;
        for list in &mut *list {
            list.start = start;
            start += list.len;
            list.len = 0;
        }
        lists.clear();
        lists.resize(start as usize, 0);
        for (index, group) in groups.iter().enumerate() {
            for &node in &members[group.range()] {
                let list = &mut list[node as usize];
                lists[(list.start + list.len) as usize] = index as u32;
                list.len += 1;
                list.degree += group.size - weight[node as usize];
            }
        }
        heap.clear();
        heap.extend(list.iter().enumerate().map(|(i, list)| Reverse((list.degree, i as u32))));
    }

    fn eliminate(&mut self) {
        let rows = self.groups.len();
        self.groups.resize(rows + self.weight.len(), Group::default());
        while let Some(Reverse((degree, node))) = self.heap.pop() {
            let list = self.list[node as usize];
            if !list.done && list.degree == degree {
                self.list[node as usize].done = true;
                self.join(rows, node);
                self.update_degrees(rows, node);
            }
        }
    }

    /// Makes one group of all groups of a node, without the node.
    fn join(&mut self, rows: usize, node: u32) {
        let Self { groups, members, lists, list, weight, mark, parent, .. } = self;
        let start = members.len();
        mark[node as usize] = node;
        let List { start: first, len, .. } = list[node as usize];
        for &index in &lists[first as usize..(first + len) as usize] {
            let group = &mut groups[index as usize];
            for k in group.range() {
                let other = members[k];
                if mark[other as usize] != node {
                    mark[other as usize] = node;
                    members.push(other);
                }
            }
            group.dead = true;
            if let Some(below) = (index as usize).checked_sub(rows) {
                parent[below] = node;
            }
        }
        groups[rows + node as usize] = Group::new(start, members, weight);
    }

    /// Brings the lists and degrees of an eliminated node's neighbours up to date.
    fn update_degrees(&mut self, rows: usize, node: u32) {
        let Self { groups, members, lists, list, weight, heap, .. } = self;
        let index = rows + node as usize;
        let new = groups[index];
        for &i in &members[new.range()] {
            let List { start, len, .. } = list[i as usize];
            let mut kept = start;
            for k in start..start + len {
                let other = lists[k as usize];
                let group = &mut groups[other as usize];
                if group.dead {
                    continue;
                }
                if group.stamp != node + 1 {
                    (group.stamp, group.rest) = (node + 1, group.size);
                }
                group.rest -= weight[i as usize];
                lists[kept as usize] = other;
                kept += 1;
            }
            // at least one of its groups was joined into the new one
            lists[kept as usize] = index as u32;
            list[i as usize].len = kept + 1 - start;
        }
        for &i in &members[new.range()] {
            let List { start, len, .. } = list[i as usize];
            let mut degree = new.size - weight[i as usize];
            for &other in &lists[start as usize..(start + len - 1) as usize] {
                degree = degree.saturating_add(groups[other as usize].rest);
            }
            list[i as usize].degree = degree;
            heap.push(Reverse((degree, i)));
        }
    }

    /// Walks down the tree of eliminations, along the largest groups first: what has equal rows
    /// comes to lie side by side.
    fn assign_places(&mut self) {
        let Self { parent, child, sibling, stack, groups, weight, next, node, .. } = self;
        let nodes = weight.len();
        let size = |i: u32| groups[groups.len() - nodes + i as usize].size + weight[i as usize];
        stack.clear();
        for i in (0..nodes as u32).rev() {
            let above = parent[i as usize];
            if above == NONE {
                stack.push(i);
                continue;
            }
            let first = child[above as usize];
            if first == NONE || size(i) >= size(first) {
                sibling[i as usize] = first;
                child[above as usize] = i;
            } else {
                sibling[i as usize] = sibling[first as usize];
                sibling[first as usize] = i;
            }
        }
        next.clear();
        next.resize(nodes, 0);
        let mut place = 0;
        while let Some(i) = stack.pop() {
            next[i as usize] = place;
            place += weight[i as usize];
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
        self.place.clear();
        self.dof.resize(node.len(), 0);
        for (i, &node) in node.iter().enumerate() {
            let place = &mut next[node as usize];
            self.place.push(*place);
            self.dof[*place as usize] = i as u32;
            *place += 1;
        }
    }
}

impl Group {
    fn new(start: usize, members: &[u32], weight: &[u32]) -> Self {
        Self {
            start: start as u32,
            end: members.len() as u32,
            size: members[start..].iter().map(|&i| weight[i as usize]).sum(),
            ..Self::default()
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
