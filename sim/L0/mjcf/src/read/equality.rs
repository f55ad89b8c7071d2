//! `equality` section.

use super::Reader;
use crate::spec::Equality;
use crate::xml::NodeId;
use sim_core::types::{EqType, ObjType};

impl Reader<'_> {
    pub(super) fn equalities(&mut self, id: NodeId) {
        for child in self.children(id) {
            let class = self.class(child, "class").unwrap_or_default();
            let mut e = self.spec.defaults[class.0].equality.clone();
            e.origin = self.origin(child);
            self.text(child, "name", &mut e.name);
            (e.etype, e.element) = match self.name(child) {
                "weld" => (EqType::Weld, "weld"),
                "joint" => (EqType::Joint, "joint"),
                "tendon" => (EqType::Tendon, "tendon"),
                "flex" => (EqType::Flex, "flex"),
                "flexvert" => (EqType::FlexVert, "flexvert"),
                "flexstrain" => (EqType::FlexStrain, "flexstrain"),
                _ => (EqType::Connect, "connect"),
            };
            match e.etype {
                EqType::Connect | EqType::Weld => self.bodies_or_sites(child, &mut e),
                EqType::Flex | EqType::FlexVert | EqType::FlexStrain => {
                    self.text(child, "flex", &mut e.name1);
                    for (to, from) in e.data.iter_mut().zip(self.ints(child, "cell")) {
                        *to = f64::from(from);
                    }
                }
                _ => {
                    let joint = e.etype == EqType::Joint;
                    let (first, second) =
                        if joint { ("joint1", "joint2") } else { ("tendon1", "tendon2") };
                    self.text(child, first, &mut e.name1);
                    self.text(child, second, &mut e.name2);
                    self.vector(child, "polycoef", &mut e.data);
                }
            }
            self.equality(child, &mut e);
            self.spec.equalities.push(e);
        }
    }

    /// Attributes that a default class can set.
    pub(super) fn equality(&self, id: NodeId, e: &mut Equality) {
        self.boolean(id, "active", &mut e.active);
        self.vector(id, "solref", &mut e.solref);
        self.vector(id, "solimp", &mut e.solimp);
    }

    /// Objects of a `connect` or `weld`: two sites, or one or two bodies with an anchor.
    fn bodies_or_sites(&mut self, id: NodeId, e: &mut Equality) {
        let (mut site1, mut site2) = (String::new(), String::new());
        let has_site1 = self.text(id, "site1", &mut site1);
        let has_site2 = self.text(id, "site2", &mut site2);
        let has_body1 = self.text(id, "body1", &mut e.name1);
        let has_body2 = self.text(id, "body2", &mut e.name2);
        let has_anchor = self.vector(id, "anchor", &mut e.data[..3]) > 0;
        let weld = e.etype == EqType::Weld;
        let has_relpose = weld && self.vector(id, "relpose", &mut e.data[3..10]) > 0;
        if (has_site1 || has_site2) && (has_body1 || has_body2 || has_anchor || has_relpose) {
            let message =
                "constrains either two sites (site1, site2) or two bodies; they cannot be combined";
            self.invalid(id, None, message);
            return;
        }
        let sites = has_site1 && has_site2;
        let bodies = has_body1 && (has_anchor || weld);
        if sites == bodies {
            let required = if weld { "`body1`" } else { "`body1` and `anchor`" };
            self.invalid(id, None, format!("requires {required}, or `site1` and `site2`"));
            return;
        }
        if sites {
            (e.name1, e.name2) = (site1, site2);
            e.objtype = ObjType::Site;
        } else {
            e.objtype = ObjType::Body;
            if weld && !has_anchor {
                e.data[..3].fill(0.0);
            }
        }
        if weld {
            self.real(id, "torquescale", &mut e.data[10]);
        }
    }
}
