//! Sizes and arrays of the flexes of a model.

use super::super::body::Tree;
use super::super::lower::{id, index, optional, row};
use super::super::nontree::NonTreeElements;
use super::CompiledFlex;
use super::topology::element_edges;
use crate::spec::{Elastic2d, SelfCollide};
use sim_core::types::EqType;
use sim_core::{Model, ModelSizes};

/// Stiffness coefficients reserved for each element.
const PER_ELEMENT: usize = 21;

/// Adds the sizes of the flexes.
pub(in super::super) fn sizes(flexes: &[CompiledFlex<'_>], s: &mut ModelSizes) {
    s.nflex = flexes.len();
    for f in flexes {
        s.nflexnode += f.nodebody.len();
        s.nflexvert += f.nvert();
        s.nflexedge += f.topology.edges.len();
        s.nflexelem += f.nelem();
        s.nflexelemdata += f.elem.len();
        s.nflexelemedge += f.topology.elemedge.len();
        s.nflexshelldata += f.topology.shell.len();
        s.nflexevpair += f.topology.evpair.len();
        s.nflextexcoord += f.texcoord.len() / 2;
        s.nflexstiffness += PER_ELEMENT * f.nelem() + cell_coefficients(f);
        s.nbvhdynamic += f.bvh.len();
        s.nJfe += f.entries[0];
        s.nJfv += f.entries[1];
    }
}

/// Stiffness coefficients of the cells of an interpolated flex.
fn cell_coefficients(f: &CompiledFlex<'_>) -> usize {
    if f.spec.order == 0 {
        return 0;
    }
    let block = 3 * (f.spec.order as usize + 1).pow(3);
    f.spec.cellcount.iter().fold(block * block, |n, &cells| n.saturating_mul(index(cells)))
}

/// Addresses of a flex in the arrays of the model.
#[derive(Default)]
struct Addresses {
    vert: usize,
    node: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shell: usize,
    evpair: usize,
    texcoord: usize,
    bvh: usize,
    cells: usize,
}

impl Addresses {
    fn advance(&mut self, f: &CompiledFlex<'_>) {
        self.vert += f.nvert();
        self.node += f.nodebody.len();
        self.edge += f.topology.edges.len();
        self.elem += f.nelem();
        self.elemdata += f.elem.len();
        self.elemedge += f.topology.elemedge.len();
        self.shell += f.topology.shell.len();
        self.evpair += f.topology.evpair.len();
        self.texcoord += f.texcoord.len() / 2;
        self.bvh += f.bvh.len();
        self.cells += cell_coefficients(f);
    }
}

/// Writes `values` at `adr`.
fn put<T: Copy>(array: &mut [T], adr: usize, values: &[T]) {
    array[adr..adr + values.len()].copy_from_slice(values);
}

/// Fills the flex arrays of the model.
pub(in super::super) fn lower(tree: &Tree<'_>, nontree: &NonTreeElements<'_>, m: &mut Model) {
    let mut a =
        Addresses { bvh: m.nbvhstatic, cells: PER_ELEMENT * m.nflexelem, ..Addresses::default() };
    for (i, f) in nontree.flexes.iter().enumerate() {
        settings(i, f, m);
        addresses(i, f, &a, m);
        topology(f, &a, m);
        positions(i, f, &a, m);
        edges(tree, f, &a, m);
        if !f.stiffness.is_empty() {
            put(&mut m.flex_stiffness, index(m.flex_stiffnessadr[i]), &f.stiffness);
        }
        put(&mut m.flex_bending, 17 * a.edge, &f.bending);
        let equality = nontree.equalities.iter().find_map(|e| e.flex(i));
        m.flex_edgeequality[i] = match equality {
            Some(EqType::Flex) => 1,
            Some(EqType::FlexVert) => 2,
            Some(EqType::FlexStrain) => 3,
            _ => 0,
        };
        a.advance(f);
    }
}

fn settings(i: usize, f: &CompiledFlex<'_>, m: &mut Model) {
    let s = f.spec;
    m.flex_contype[i] = s.contype;
    m.flex_conaffinity[i] = s.conaffinity;
    m.flex_condim[i] = s.condim;
    m.flex_priority[i] = s.priority;
    m.flex_solmix[i] = s.solmix;
    row(&mut m.flex_solref, i, &s.solref);
    row(&mut m.flex_solimp, i, &s.solimp);
    row(&mut m.flex_friction, i, &s.friction);
    m.flex_margin[i] = s.margin;
    m.flex_gap[i] = s.gap;
    m.flex_internal[i] = s.internal;
    m.flex_selfcollide[i] = match s.selfcollide {
        SelfCollide::None => 0,
        SelfCollide::Narrow => 1,
        SelfCollide::Bvh => 2,
        SelfCollide::Sap => 3,
        SelfCollide::Auto => 4,
    };
    m.flex_activelayers[i] = s.activelayers;
    m.flex_passive[i] = i32::from(s.passive);
    m.flex_dim[i] = s.dim;
    m.flex_matid[i] = optional(f.material);
    m.flex_group[i] = s.group;
    m.flex_interp[i] = s.order;
    row(&mut m.flex_cellnum, i, &s.cellcount);
    m.flex_radius[i] = s.radius;
    row(&mut m.flex_size, i, &f.size);
    m.flex_damping[i] = s.damping;
    m.flex_edgestiffness[i] = s.edgestiffness;
    m.flex_edgedamping[i] = s.edgedamping;
    m.flex_rigid[i] = f.rigid;
    m.flex_centered[i] = f.centered;
    m.flex_flatskin[i] = s.flatskin;
    row(&mut m.flex_rgba, i, &s.rgba);
}

fn addresses(i: usize, f: &CompiledFlex<'_>, a: &Addresses, m: &mut Model) {
    let some = |count: usize, adr: usize| if count == 0 { -1 } else { id(adr) };
    let t = &f.topology;
    m.flex_nodeadr[i] = id(a.node);
    m.flex_nodenum[i] = id(f.nodebody.len());
    m.flex_vertadr[i] = id(a.vert);
    m.flex_vertnum[i] = id(f.nvert());
    m.flex_edgeadr[i] = id(a.edge);
    m.flex_edgenum[i] = id(t.edges.len());
    m.flex_elemadr[i] = id(a.elem);
    m.flex_elemnum[i] = id(f.nelem());
    m.flex_elemdataadr[i] = id(a.elemdata);
    m.flex_elemedgeadr[i] = id(a.elemedge);
    m.flex_stiffnessadr[i] = if f.spec.order == 0 { id(PER_ELEMENT * a.elem) } else { id(a.cells) };
    m.flex_shellnum[i] = id(t.shell.len() / f.dim());
    m.flex_shelldataadr[i] = some(t.shell.len(), a.shell);
    m.flex_evpairadr[i] = some(t.evpair.len(), a.evpair);
    m.flex_evpairnum[i] = id(t.evpair.len());
    m.flex_texcoordadr[i] = some(f.texcoord.len(), a.texcoord);
    m.flex_bvhadr[i] = some(f.bvh.len(), a.bvh);
    m.flex_bvhnum[i] = id(f.bvh.len());
}

fn topology(f: &CompiledFlex<'_>, a: &Addresses, m: &mut Model) {
    let t = &f.topology;
    debug_assert_eq!(t.elemedge.len(), f.nelem() * element_edges(f.dim()), "edges per element");
    put(&mut m.flex_elem, a.elemdata, &f.elem);
    put(&mut m.flex_elemtexcoord, a.elemdata, &f.elemtexcoord);
    put(&mut m.flex_texcoord, 2 * a.texcoord, f.texcoord);
    put(&mut m.flex_elemedge, a.elemedge, &t.elemedge);
    put(&mut m.flex_elemlayer, a.elem, &t.layer);
    put(&mut m.flex_shell, a.shell, &t.shell);
    put(&mut m.flex_evpair, 2 * a.evpair, t.evpair.as_flattened());
    put(&mut m.bvh_child, 2 * a.bvh, f.bvh.child.as_flattened());
    put(&mut m.bvh_depth, a.bvh, &f.bvh.depth);
    put(&mut m.bvh_nodeid, a.bvh, &f.bvh.nodeid);
}

fn positions(i: usize, f: &CompiledFlex<'_>, a: &Addresses, m: &mut Model) {
    put(&mut m.flex_vertbodyid, a.vert, &f.vertbody);
    put(&mut m.flex_nodebodyid, a.node, &f.nodebody);
    if !f.centered || f.interpolated {
        put(&mut m.flex_vert, 3 * a.vert, &f.spec.vert);
    }
    if !m.flex_centered[i] {
        put(&mut m.flex_node, 3 * a.node, &f.spec.node);
    }
    put(&mut m.flex_vert0, 3 * a.vert, f.vert0.as_flattened());
    put(&mut m.flex_node0, 3 * a.node, f.node0.as_flattened());
}

fn edges(tree: &Tree<'_>, f: &CompiledFlex<'_>, a: &Addresses, m: &mut Model) {
    let bends = f.spec.elastic2d != Elastic2d::None && f.spec.elastic2d.bends();
    let weld = |v: i32| tree.bodies[index(f.vertbody[index(v)])].weldid;
    for (k, edge) in f.topology.edges.iter().enumerate() {
        row(&mut m.flex_edge, a.edge + k, edge);
        let flap = if bends { &f.topology.flaps[k][2..] } else { &[-1, -1] };
        row(&mut m.flex_edgeflap, a.edge + k, flap);
        m.flexedge_rigid[a.edge + k] =
            f.rigid || (!f.interpolated && weld(edge[0]) == weld(edge[1]));
    }
}
