//! Validation of the flexes of a loaded model: indices relative to a flex, and consistent counts.

use crate::Model;
use std::ops::Range;

/// Returns the array name as an error unless the condition holds.
pub(super) fn expect(holds: bool, name: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(name.to_owned()) }
}

/// Elements from an address on; `None` if they exceed `limit`.
pub(super) fn span(adr: i32, num: usize, limit: usize) -> Option<Range<usize>> {
    let first = usize::try_from(adr).ok()?;
    let end = first.checked_add(num)?;
    (end <= limit).then_some(first..end)
}

/// Checks every flex.
pub(super) fn check(m: &Model) -> Result<(), String> {
    for f in 0..m.nflex {
        flex(m, f)?;
    }
    let rows = m.flexedge_J_rowadr.iter().zip(&m.flexedge_J_rownnz);
    for (&adr, &num) in rows {
        let num = usize::try_from(num).map_err(|_| "flexedge_J_rownnz")?;
        expect(span(adr, num, m.nJfe).is_some(), "flexedge_J_rowadr")?;
    }
    for (&adr, &num) in m.flexvert_J_rowadr.iter().zip(&m.flexvert_J_rownnz) {
        let num = usize::try_from(num).map_err(|_| "flexvert_J_rownnz")?;
        expect(span(adr, num, 2 * m.nJfv).is_some(), "flexvert_J_rowadr")?;
    }
    let is_dof = |&dof: &i32| usize::try_from(dof).is_ok_and(|dof| dof < m.nv);
    expect(m.flexedge_J_colind.iter().all(is_dof), "flexedge_J_colind")?;
    expect(m.flexvert_J_colind.iter().all(is_dof), "flexvert_J_colind")
}

/// Whether all ids are below `limit`, or negative if `optional`.
pub(super) fn below(ids: &[i32], limit: usize, optional: bool) -> bool {
    ids.iter().all(|&id| usize::try_from(id).map_or(optional, |id| id < limit))
}

fn flex(m: &Model, f: usize) -> Result<(), String> {
    let count = |list: &[i32], name: &str| usize::try_from(list[f]).map_err(|_| name.to_owned());
    let dim = count(&m.flex_dim, "flex_dim")?;
    expect((1..=3).contains(&dim), "flex_dim")?;
    let order = count(&m.flex_interp, "flex_interp")?;
    expect(order <= 2, "flex_interp")?;
    let nvert = count(&m.flex_vertnum, "flex_vertnum")?;
    let vertices = span(m.flex_vertadr[f], nvert, m.nflexvert).ok_or("flex_vertadr")?;
    expect(below(&m.flex_vertbodyid[vertices.clone()], m.nbody, order > 0), "flex_vertbodyid")?;
    let nnode = count(&m.flex_nodenum, "flex_nodenum")?;
    let nodes = span(m.flex_nodeadr[f], nnode, m.nflexnode).ok_or("flex_nodeadr")?;
    expect(below(&m.flex_nodebodyid[nodes], m.nbody, false), "flex_nodebodyid")?;

    let nedge = count(&m.flex_edgenum, "flex_edgenum")?;
    let edges = span(m.flex_edgeadr[f], nedge, m.nflexedge).ok_or("flex_edgeadr")?;
    let pairs = 2 * edges.start..2 * edges.end;
    expect(below(&m.flex_edge[pairs.clone()], nvert, false), "flex_edge")?;
    expect(below(&m.flex_edgeflap[pairs], nvert, true), "flex_edgeflap")?;
    for v in vertices {
        let around = usize::try_from(m.flex_vertedgenum[v]).map_err(|_| "flex_vertedgenum")?;
        let around = span(m.flex_vertedgeadr[v], around, 2 * m.nflexedge);
        let around = around.ok_or("flex_vertedgeadr")?;
        expect(below(&m.flex_vertedge[around], nedge, false), "flex_vertedge")?;
    }

    let nelem = count(&m.flex_elemnum, "flex_elemnum")?;
    expect(nelem > 0, "flex_elemnum")?;
    expect(span(m.flex_elemadr[f], nelem, m.nflexelem).is_some(), "flex_elemadr")?;
    let corners = span(m.flex_elemdataadr[f], nelem * (dim + 1), m.nflexelemdata);
    let corners = corners.ok_or("flex_elemdataadr")?;
    expect(below(&m.flex_elem[corners], nvert, false), "flex_elem")?;
    let local = [1, 3, 6][dim - 1];
    let of_elements = span(m.flex_elemedgeadr[f], nelem * local, m.nflexelemedge);
    let of_elements = of_elements.ok_or("flex_elemedgeadr")?;
    expect(below(&m.flex_elemedge[of_elements], nedge, false), "flex_elemedge")?;
    surface(m, f, dim, nvert, nelem)?;
    stiffness(m, f, (order, nelem, nnode))?;
    hierarchy(m, f, nelem)
}

/// Checks surface fragments, pairs of elements and vertices, and texture coordinates.
fn surface(m: &Model, f: usize, dim: usize, nvert: usize, nelem: usize) -> Result<(), String> {
    let nshell = usize::try_from(m.flex_shellnum[f]).map_err(|_| "flex_shellnum")?;
    if nshell > 0 {
        let shell = span(m.flex_shelldataadr[f], nshell * dim, m.nflexshelldata);
        let shell = shell.ok_or("flex_shelldataadr")?;
        expect(below(&m.flex_shell[shell], nvert, false), "flex_shell")?;
    }
    let npair = usize::try_from(m.flex_evpairnum[f]).map_err(|_| "flex_evpairnum")?;
    if npair > 0 {
        let pairs = span(m.flex_evpairadr[f], npair, m.nflexevpair).ok_or("flex_evpairadr")?;
        let pairs = &m.flex_evpair.as_chunks::<2>().0[pairs];
        let inside = |&[e, v]: &[i32; 2]| below(&[e], nelem, false) && below(&[v], nvert, false);
        expect(pairs.iter().all(inside), "flex_evpair")?;
    }
    let texcoord = usize::try_from(m.flex_texcoordadr[f]).unwrap_or(0);
    expect(texcoord <= m.nflextexcoord, "flex_texcoordadr")?;
    let material = m.flex_matid[f];
    expect(below(&[material], m.nmat, true), "flex_matid")
}

/// Checks that the coefficients of elements or cells are in range, and that cells have their nodes.
fn stiffness(
    m: &Model,
    f: usize,
    (order, nelem, nnode): (usize, usize, usize),
) -> Result<(), String> {
    let needed = if order == 0 {
        21 * nelem
    } else {
        let cells = [0, 1, 2].map(|k| usize::try_from(m.flex_cellnum[3 * f + k]).unwrap_or(0));
        expect(cells.iter().all(|&n| (1..=10_000).contains(&n)), "flex_cellnum")?;
        let nodes = cells.iter().map(|n| n * order + 1).product::<usize>();
        expect(nodes == nnode, "flex_nodenum")?;
        let block = 3 * (order + 1).pow(3);
        cells.iter().product::<usize>().saturating_mul(block * block)
    };
    let found = span(m.flex_stiffnessadr[f], needed, m.nflexstiffness);
    expect(found.is_some(), "flex_stiffnessadr")
}

/// Checks the bounding volume hierarchy: children follow their parent, leaves are elements.
fn hierarchy(m: &Model, f: usize, nelem: usize) -> Result<(), String> {
    if m.flex_bvhadr[f] < 0 {
        return Ok(());
    }
    let count = usize::try_from(m.flex_bvhnum[f]).map_err(|_| "flex_bvhnum")?;
    let nodes = span(m.flex_bvhadr[f], count, m.nbvh).ok_or("flex_bvhadr")?;
    expect(nodes.start >= m.nbvhstatic && count > 0, "flex_bvhadr")?;
    expect(nodes.end - m.nbvhstatic <= m.nbvhdynamic, "flex_bvhadr")?;
    for (i, node) in nodes.enumerate() {
        let leaf = m.bvh_nodeid[node] >= 0;
        if leaf {
            expect(below(&[m.bvh_nodeid[node]], nelem, false), "bvh_nodeid")?;
        } else {
            let follows = |&c: &i32| usize::try_from(c).is_ok_and(|c| c > i && c < count);
            expect(m.bvh_child[2 * node..2 * node + 2].iter().all(follows), "bvh_child")?;
        }
    }
    Ok(())
}
