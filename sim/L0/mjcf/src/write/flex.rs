//! `deformable` section: flexes and skins.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::{Elastic2d, Flex, SelfCollide, Skin};

impl Writer<'_> {
    pub(super) fn flexes_and_skins(&self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("deformable", |doc| {
            for f in &spec.flexes {
                doc.open("flex", &attributes(f).difference(&attributes(&Flex::default())));
                for (element, parts) in [
                    ("contact", contact as fn(&Flex) -> Attributes),
                    ("elasticity", elasticity),
                    ("edge", edge),
                ] {
                    let parts = parts(f).difference(&parts(&Flex::default()));
                    if !parts.0.is_empty() {
                        doc.element(element, &parts);
                    }
                }
                doc.close();
            }
            for s in &spec.skins {
                let attributes = self.skin(s).difference(&self.skin(&Skin::default()));
                doc.open("skin", &attributes);
                for bone in &s.bones {
                    let mut a = Attributes::default();
                    a.text("body", &bone.body);
                    a.numbers("bindpos", &bone.bindpos);
                    a.numbers("bindquat", &bone.bindquat);
                    a.numbers("vertid", &bone.vertid);
                    a.numbers("vertweight", &bone.vertweight);
                    doc.element("bone", &a);
                }
                doc.close();
            }
        });
    }

    fn skin(&self, s: &Skin) -> Attributes {
        let mut a = Attributes::default();
        a.word("name", &s.name);
        a.word("file", &self.file(s.origin, |c| &c.meshdir, &s.file));
        a.word("material", &s.material);
        a.number("group", s.group);
        a.numbers("rgba", &s.rgba);
        a.number("inflate", s.inflate);
        a.list("vertex", &s.vertex);
        a.list("texcoord", &s.texcoord);
        a.list("face", &s.face);
        a
    }
}

fn attributes(f: &Flex) -> Attributes {
    let mut a = Attributes::default();
    a.word("name", &f.name);
    a.number("group", f.group);
    a.number("dim", f.dim);
    a.number("radius", f.radius);
    a.word("material", &f.material);
    a.numbers("rgba", &f.rgba);
    a.boolean("flatskin", f.flatskin);
    a.numbers("cellcount", &f.cellcount);
    match f.order {
        1 => a.text("dof", "trilinear"),
        2 => a.text("dof", "quadratic"),
        _ => {}
    }
    a.word("body", &f.vertbody.join(" "));
    a.word("node", &f.nodebody.join(" "));
    a.list("nodecoord", &f.node);
    let empty = f.cell_empty.iter().enumerate().filter(|(_, empty)| **empty);
    a.list("emptycell", &empty.map(|(cell, _)| cell).collect::<Vec<_>>());
    a.list("vertex", &f.vert);
    a.list("element", &f.elem);
    a.list("texcoord", &f.texcoord);
    a.list("elemtexcoord", &f.elemtexcoord);
    a
}

fn contact(f: &Flex) -> Attributes {
    let mut a = Attributes::default();
    a.number("contype", f.contype);
    a.number("conaffinity", f.conaffinity);
    a.number("condim", f.condim);
    a.number("priority", f.priority);
    a.numbers("friction", &f.friction);
    a.number("solmix", f.solmix);
    a.numbers("solref", &f.solref);
    a.numbers("solimp", &f.solimp);
    a.number("margin", f.margin);
    a.number("gap", f.gap);
    a.boolean("internal", f.internal);
    a.text(
        "selfcollide",
        match f.selfcollide {
            SelfCollide::None => "none",
            SelfCollide::Narrow => "narrow",
            SelfCollide::Bvh => "bvh",
            SelfCollide::Sap => "sap",
            SelfCollide::Auto => "auto",
        },
    );
    a.number("activelayers", f.activelayers);
    a.boolean("passive", f.passive);
    a
}

fn elasticity(f: &Flex) -> Attributes {
    let mut a = Attributes::default();
    a.number("young", f.young);
    a.number("poisson", f.poisson);
    a.number("damping", f.damping);
    a.number("thickness", f.thickness);
    a.text(
        "elastic2d",
        match f.elastic2d {
            Elastic2d::None => "none",
            Elastic2d::Bend => "bend",
            Elastic2d::Stretch => "stretch",
            Elastic2d::Both => "both",
        },
    );
    a
}

fn edge(f: &Flex) -> Attributes {
    let mut a = Attributes::default();
    a.number("stiffness", f.edgestiffness);
    a.number("damping", f.edgedamping);
    a
}
