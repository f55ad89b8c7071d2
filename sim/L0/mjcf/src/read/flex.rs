//! `deformable` section: flexes; see `skin` for skins.

use super::Reader;
use super::attributes::Keywords;
use crate::spec::{Elastic2d, Flex, SelfCollide};
use crate::xml::NodeId;
use std::sync::Arc;

const SELF_COLLIDE: Keywords<SelfCollide> = &[
    ("none", SelfCollide::None),
    ("narrow", SelfCollide::Narrow),
    ("bvh", SelfCollide::Bvh),
    ("sap", SelfCollide::Sap),
    ("auto", SelfCollide::Auto),
];

const ELASTIC2D: Keywords<Elastic2d> = &[
    ("none", Elastic2d::None),
    ("bend", Elastic2d::Bend),
    ("stretch", Elastic2d::Stretch),
    ("both", Elastic2d::Both),
];

impl Reader<'_> {
    pub(super) fn flexes_and_skins(&mut self, section: NodeId) {
        for child in self.children(section) {
            if self.name(child) == "skin" {
                self.skin(child);
                continue;
            }
            let mut flex = Flex { origin: self.origin(child), ..Flex::default() };
            self.flex_common(child, &mut flex);
            for (to, from) in flex.cellcount.iter_mut().zip(self.ints(child, "cellcount")) {
                *to = from;
            }
            self.keyword(
                child,
                "dof",
                &[("full", 0), ("radial", 0), ("trilinear", 1), ("quadratic", 2), ("2d", 0)],
                &mut flex.order,
            );
            flex.vertbody = self.words(child, "body");
            flex.nodebody = self.words(child, "node");
            flex.vert = self.numbers(child, "vertex").unwrap_or_default().into();
            flex.elem = self.ints(child, "element").into();
            flex.node = self.numbers(child, "nodecoord").unwrap_or_default().into();
            flex.cell_empty = self.empty_cells(child, &flex);
            flex.texcoord = self.singles(child, "texcoord").unwrap_or_default();
            flex.elemtexcoord = self.ints(child, "elemtexcoord").into();
            self.spec.flexes.push(flex);
        }
    }

    /// Flags of the cells listed in `emptycell`, z fastest; empty without the attribute.
    fn empty_cells(&mut self, id: NodeId, flex: &Flex) -> Arc<[bool]> {
        let list = self.ints(id, "emptycell");
        if list.is_empty() {
            return Arc::default();
        }
        let cells = flex.cellcount.map(|n| usize::try_from(n).unwrap_or(0));
        let count = cells.iter().fold(1_usize, |count, &n| count.saturating_mul(n));
        let mut empty = vec![false; count.min(1 << 24)];
        for cell in list {
            match usize::try_from(cell).ok().and_then(|cell| empty.get_mut(cell)) {
                Some(flag) => *flag = true,
                None => {
                    let message = format!("cell {cell} does not exist: there are {count}");
                    self.invalid(id, Some("emptycell"), message);
                }
            }
        }
        empty.into()
    }

    /// The words of an attribute.
    fn words(&self, id: NodeId, name: &str) -> Vec<String> {
        let text = self.dom.attr(id, name).unwrap_or_default();
        text.split_ascii_whitespace().map(ToOwned::to_owned).collect()
    }

    /// Attributes and child elements that `flex` and `flexcomp` have in common.
    pub(super) fn flex_common(&mut self, id: NodeId, f: &mut Flex) {
        self.text(id, "name", &mut f.name);
        self.text(id, "material", &mut f.material);
        self.real(id, "radius", &mut f.radius);
        self.vector32(id, "rgba", &mut f.rgba);
        self.boolean(id, "flatskin", &mut f.flatskin);
        self.int(id, "dim", &mut f.dim);
        self.int(id, "group", &mut f.group);
        for child in self.children(id) {
            match self.name(child) {
                "contact" => self.flex_contact(child, f),
                "edge" => {
                    self.real(child, "stiffness", &mut f.edgestiffness);
                    self.real(child, "damping", &mut f.edgedamping);
                }
                "elasticity" => {
                    self.real(child, "young", &mut f.young);
                    self.real(child, "poisson", &mut f.poisson);
                    self.real(child, "damping", &mut f.damping);
                    self.real(child, "thickness", &mut f.thickness);
                    self.keyword(child, "elastic2d", ELASTIC2D, &mut f.elastic2d);
                }
                _ => {}
            }
        }
    }

    fn flex_contact(&self, id: NodeId, f: &mut Flex) {
        self.int(id, "contype", &mut f.contype);
        self.int(id, "conaffinity", &mut f.conaffinity);
        self.int(id, "condim", &mut f.condim);
        self.int(id, "priority", &mut f.priority);
        self.vector(id, "friction", &mut f.friction);
        self.real(id, "solmix", &mut f.solmix);
        self.vector(id, "solref", &mut f.solref);
        self.vector(id, "solimp", &mut f.solimp);
        self.real(id, "margin", &mut f.margin);
        self.real(id, "gap", &mut f.gap);
        self.boolean(id, "internal", &mut f.internal);
        self.keyword(id, "selfcollide", SELF_COLLIDE, &mut f.selfcollide);
        self.boolean(id, "passive", &mut f.passive);
        self.int(id, "activelayers", &mut f.activelayers);
    }
}
