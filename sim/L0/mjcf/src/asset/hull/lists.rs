//! Doubly linked lists of facets and vertices, with the cursors that the algorithm keeps in them
//! (qh_appendfacet, qh_removefacet, qh_prependfacet, qh_appendvertex, qh_removevertex).
//!
//! Facets visible from the current point are moved to the end of the list and new facets are
//! appended behind them, so each group is a part of the list: from `visible_list` while the facets
//! are visible, and from `new_facets` to the end. A null cursor differs from one at the end.

use super::arena::{Facet, Vertex};
use super::{Builder, HullError, NONE};

/// Sentinel at the end of the facet list and of the vertex list.
pub(super) const TAIL: u32 = 0;

/// List of all facets.
#[derive(Debug)]
pub(super) struct FacetList {
    pub(super) head: u32,
    /// Next facet whose outside set is processed.
    pub(super) next: u32,
    /// First visible facet.
    pub(super) visible: u32,
    /// First new facet.
    pub(super) new: u32,
    /// Number of facets, visible ones included.
    pub(super) count: usize,
    pub(super) visible_count: usize,
}

/// List of all vertices; vertices of new facets are moved to the end.
#[derive(Debug)]
pub(super) struct VertexList {
    pub(super) head: u32,
    /// First vertex of a new facet.
    pub(super) new: u32,
    pub(super) count: usize,
}

impl FacetList {
    pub(super) fn new() -> Self {
        Self { head: TAIL, next: NONE, visible: NONE, new: TAIL, count: 0, visible_count: 0 }
    }
}

impl VertexList {
    pub(super) fn new() -> Self {
        Self { head: TAIL, new: TAIL, count: 0 }
    }
}

impl Builder<'_> {
    /// Creates a simplicial facet that is in no list.
    pub(super) fn create_facet(&mut self) -> u32 {
        let dist_round = self.tolerance.dist_round;
        if let Some(id) = self.free_facets.pop() {
            self.facets[id].reset(dist_round);
            return id;
        }
        self.facets.push(Facet::new(dist_round))
    }

    pub(super) fn append_facet(&mut self, id: u32) {
        let list = &mut self.facet_list;
        if list.new == TAIL {
            list.new = id;
            if list.visible == TAIL {
                list.visible = id;
            }
        }
        if list.next == TAIL {
            list.next = id;
        }
        list.count += 1;
        let previous = self.facets[TAIL].previous;
        self.facets[id].previous = previous;
        self.facets[id].next = TAIL;
        if previous == NONE {
            self.facet_list.head = id;
        } else {
            self.facets[previous].next = id;
        }
        self.facets[TAIL].previous = id;
    }

    pub(super) fn remove_facet(&mut self, id: u32) {
        let (previous, next) = (self.facets[id].previous, self.facets[id].next);
        let list = &mut self.facet_list;
        for cursor in [&mut list.new, &mut list.next, &mut list.visible] {
            if *cursor == id {
                *cursor = next;
            }
        }
        list.count -= 1;
        if previous == NONE {
            list.head = next;
        } else {
            self.facets[previous].next = next;
        }
        self.facets[next].previous = previous;
    }

    /// Moves a facet to the end of the list.
    pub(super) fn move_to_end(&mut self, id: u32) {
        self.remove_facet(id);
        self.append_facet(id);
    }

    /// Inserts a facet before `at`, the position of a cursor that the caller sets to the facet.
    pub(super) fn insert_before(&mut self, id: u32, at: u32) {
        let previous = self.facets[at].previous;
        self.facets[id].previous = previous;
        self.facets[id].next = at;
        if previous != NONE {
            self.facets[previous].next = id;
        }
        self.facets[at].previous = id;
        let list = &mut self.facet_list;
        if list.head == at {
            list.head = id;
        }
        if list.next == at {
            list.next = id;
        }
        list.count += 1;
    }

    /// Removes a facet from the list and releases its memory for reuse.
    pub(super) fn delete_facet(&mut self, id: u32) {
        self.remove_facet(id);
        self.free_facets.push(id);
    }

    /// Moves a merged facet to the visible facets, which are deleted later (qh_willdelete).
    pub(super) fn retire_facet(&mut self, id: u32, replacement: u32) {
        self.remove_facet(id);
        let at = if self.facet_list.visible == NONE { TAIL } else { self.facet_list.visible };
        self.insert_before(id, at);
        self.facet_list.visible = id;
        self.facet_list.visible_count += 1;
        let facet = &mut self.facets[id];
        facet.visible = true;
        facet.link = replacement;
        facet.ridges.clear();
        facet.neighbors.clear();
    }

    /// The facet that replaces a visible one, or null (qh_getreplacement).
    pub(super) fn replacement(&self, facet: u32) -> Result<u32, HullError> {
        let mut at = facet;
        for _ in 0..=self.facets.0.len() {
            if at == NONE || !self.facets[at].visible {
                return Ok(at);
            }
            at = self.facets[at].link;
        }
        Err(HullError::Topology("facets replace each other"))
    }

    /// Appends a new vertex at `point`.
    pub(super) fn create_vertex(&mut self, point: u32) -> u32 {
        self.vertices.push(Vertex {
            point,
            previous: NONE,
            next: NONE,
            match_facet: NONE,
            ..Vertex::default()
        })
    }

    pub(super) fn append_vertex(&mut self, id: u32) {
        let list = &mut self.vertex_list;
        if list.new == TAIL {
            list.new = id;
        }
        list.count += 1;
        let previous = self.vertices[TAIL].previous;
        let vertex = &mut self.vertices[id];
        vertex.new = true;
        vertex.previous = previous;
        vertex.next = TAIL;
        if previous == NONE {
            self.vertex_list.head = id;
        } else {
            self.vertices[previous].next = id;
        }
        self.vertices[TAIL].previous = id;
    }

    pub(super) fn remove_vertex(&mut self, id: u32) {
        let (previous, next) = (self.vertices[id].previous, self.vertices[id].next);
        let list = &mut self.vertex_list;
        if list.new == id {
            list.new = next;
        }
        list.count -= 1;
        if previous == NONE {
            list.head = next;
        } else {
            self.vertices[previous].next = next;
        }
        self.vertices[next].previous = previous;
    }

    /// Moves a vertex to the end of the list unless it was moved since the point was added.
    pub(super) fn renew_vertex(&mut self, id: u32) {
        if !self.vertices[id].new {
            self.remove_vertex(id);
            self.append_vertex(id);
        }
    }

    /// Renews the vertices of a facet in order (qh_newvertices).
    pub(super) fn renew_vertices(&mut self, facet: u32) {
        for at in 0..self.facets[facet].vertices.len() {
            self.renew_vertex(self.facets[facet].vertices[at]);
        }
    }

    /// Clears the marks of new vertices and facets, and the cursors (qh_resetlists).
    pub(super) fn reset_lists(&mut self) {
        let mut vertex = self.vertex_list.new;
        while vertex != NONE && vertex != TAIL {
            self.vertices[vertex].new = false;
            vertex = self.vertices[vertex].next;
        }
        self.vertex_list.new = NONE;
        let mut facet = self.facet_list.new;
        while facet != NONE && facet != TAIL {
            self.facets[facet].new = false;
            facet = self.facets[facet].next;
        }
        self.facet_list.new = NONE;
        self.facet_list.visible = NONE;
    }

    /// The facet after `facet`, or none at the end of the list.
    pub(super) fn facet_after(&self, facet: u32) -> Option<u32> {
        self.listed(self.facets[facet].next)
    }

    /// `facet`, unless it is null or the end of the list.
    pub(super) fn listed(&self, facet: u32) -> Option<u32> {
        (facet != NONE && facet != TAIL).then_some(facet)
    }

    /// The first facet of the list.
    pub(super) fn first_facet(&self) -> Option<u32> {
        self.listed(self.facet_list.head)
    }

    /// The first new facet.
    pub(super) fn first_new(&self) -> Option<u32> {
        self.listed(self.facet_list.new)
    }

    /// The first visible facet.
    pub(super) fn first_visible(&self) -> Option<u32> {
        self.still_visible(self.facet_list.visible)
    }

    /// The visible facet after `facet`.
    pub(super) fn visible_after(&self, facet: u32) -> Option<u32> {
        self.still_visible(self.facets[facet].next)
    }

    fn still_visible(&self, facet: u32) -> Option<u32> {
        self.listed(facet).filter(|&f| self.facets[f].visible)
    }

    /// Numbers a new traversal of facets.
    pub(super) fn next_visit(&mut self) -> u32 {
        self.visit += 1;
        self.visit
    }

    /// Numbers a new traversal of vertices.
    pub(super) fn next_vertex_visit(&mut self) -> u32 {
        self.vertex_visit += 1;
        self.vertex_visit
    }
}
