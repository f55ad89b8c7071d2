//! `joint` elements: type, links, limits and `mimic`.

use super::Reader;
use crate::robot::{Calibration, Dynamics, Joint, JointKind, Limit, Mimic, SafetyController};
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::{Element, nearest};
use std::collections::HashMap;

/// Minimum length of an axis.
const MIN_AXIS_LENGTH: f64 = 1e-7;

impl<'a> Reader<'a, '_> {
    /// All joints with valid links, with their elements.
    pub(super) fn joints(&mut self, root: Element<'a>) -> Vec<(Element<'a>, Joint)> {
        let mut joints: Vec<(Element<'a>, Joint)> = Vec::new();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for element in root.children().filter(|child| child.name() == "joint") {
            let Some(joint) = self.joint(element) else { continue };
            let name = element.attribute("name").unwrap_or_default();
            if let Some((first, other)) = names.get(name).map(|&first| &joints[first]) {
                let first = first.location();
                if joint.kind == JointKind::Fixed || other.kind == JointKind::Fixed {
                    let message = format!(
                        "`{name}` is also the name of the joint at {first}; this is allowed only \
                         because one of them is fixed"
                    );
                    element.warning(self.report, message);
                } else {
                    self.repeated_name(element, "joint", first);
                }
            }
            // Of two joints with the same name, `mimic` refers to the moving one.
            if joint.kind != JointKind::Fixed || !names.contains_key(name) {
                names.insert(name, joints.len());
            }
            joints.push((element, joint));
        }
        joints
    }

    fn joint(&mut self, element: Element<'a>) -> Option<Joint> {
        let origin = element.origin(&mut self.spec);
        let name = self.required_text(element, "name");
        let kind = self.kind(element);
        let parent = self.link_of(element, "parent");
        let child = self.link_of(element, "child");
        let pose = self.pose(element);
        let axis = self.axis(element, kind);
        let limit = Self::child(element, "limit").map(|limit| Limit {
            lower: self.number(limit, "lower"),
            upper: self.number(limit, "upper"),
            effort: self.number(limit, "effort"),
            velocity: self.number(limit, "velocity"),
            origin: limit.origin(&mut self.spec),
        });
        let dynamics = Self::child(element, "dynamics").map(|dynamics| Dynamics {
            damping: self.number(dynamics, "damping").unwrap_or_default(),
            friction: self.number(dynamics, "friction").unwrap_or_default(),
        });
        let mimic = Self::child(element, "mimic").and_then(|mimic| self.mimic(mimic));
        let (safety_controller, calibration) = self.controller_params(element);
        let joint = Joint {
            name: name?.to_owned(),
            kind: kind?,
            parent: parent?,
            child: child?,
            pose,
            axis: axis?,
            limit,
            dynamics,
            mimic,
            safety_controller,
            calibration,
            origin,
        };
        self.check_limits(element, &joint);
        Some(joint)
    }

    fn kind(&mut self, element: Element<'a>) -> Option<JointKind> {
        let word = self.required_text(element, "type")?;
        let kind = JointKind::ALL.iter().find(|(name, _)| *name == word).map(|&(_, kind)| kind);
        if kind.is_none() {
            let names = JointKind::ALL.iter().map(|(name, _)| *name);
            let suggestion = nearest(word, names.clone()).map(ToOwned::to_owned);
            let (word, allowed) =
                (word.chars().take(40).collect(), names.map(ToOwned::to_owned).collect());
            let kind = ErrorKind::BadKeyword { word, allowed, suggestion };
            element.error(self.report, Some("type"), kind);
        }
        kind
    }

    /// Index of the link of `<parent>` or `<child>`.
    fn link_of(&mut self, element: Element<'a>, end: &str) -> Option<usize> {
        let end = self.required_child(element, end, &format!("<{end} link=\"…\"/>"))?;
        let name = self.required_text(end, "link")?;
        let link = self.links.get(name).map(|(link, _)| *link);
        if link.is_none() && !self.report.is_full() {
            let suggestion = nearest(name, self.names.iter().copied()).map(ToOwned::to_owned);
            let kind = ErrorKind::UnknownName { kind: "link", name: name.to_owned(), suggestion };
            end.error(self.report, Some("link"), kind);
        }
        link
    }

    fn axis(&mut self, element: Element<'a>, kind: Option<JointKind>) -> Option<[f64; 3]> {
        let Some(axis) = Self::child(element, "axis") else {
            return Some([1.0, 0.0, 0.0]);
        };
        let xyz: [f64; 3] = self.required_numbers(axis, "xyz")?;
        let length = xyz.iter().map(|x| x * x).sum::<f64>().sqrt();
        if kind.is_some_and(JointKind::has_axis) && length < MIN_AXIS_LENGTH {
            let message = "the axis must not be the zero vector; the z axis is \"0 0 1\"";
            axis.error(self.report, Some("xyz"), ErrorKind::Invalid(message.into()));
        }
        Some(xyz)
    }

    fn mimic(&mut self, element: Element<'a>) -> Option<Mimic> {
        let joint = self.required_text(element, "joint");
        let multiplier = self.number(element, "multiplier").unwrap_or(1.0);
        let offset = self.number(element, "offset").unwrap_or_default();
        let origin = element.origin(&mut self.spec);
        Some(Mimic { joint: joint?.to_owned(), multiplier, offset, origin })
    }

    /// Controller parameters of a joint.
    fn controller_params(
        &mut self,
        element: Element<'a>,
    ) -> (Option<SafetyController>, Option<Calibration>) {
        let safety = Self::child(element, "safety_controller").map(|safety| {
            self.counter.add(safety, "is not simulated: it is a controller parameter");
            let mut number = |name| self.number(safety, name).unwrap_or_default();
            SafetyController {
                soft_lower_limit: number("soft_lower_limit"),
                soft_upper_limit: number("soft_upper_limit"),
                k_position: number("k_position"),
                k_velocity: number("k_velocity"),
            }
        });
        let calibration = Self::child(element, "calibration").map(|calibration| {
            self.counter.add(calibration, "is not simulated: it is a controller parameter");
            Calibration {
                rising: self.number(calibration, "rising"),
                falling: self.number(calibration, "falling"),
            }
        });
        (safety, calibration)
    }

    /// Reports limits that are not enforced, or only partially.
    fn check_limits(&mut self, element: Element<'a>, joint: &Joint) {
        if joint.kind == JointKind::Fixed {
            for child in ["limit", "dynamics"].into_iter().filter_map(|c| Self::child(element, c)) {
                self.counter.add(child, "has no effect on a fixed joint");
            }
            return;
        }
        let Some(limit) = joint.limit else {
            if joint.kind == JointKind::Revolute {
                element.warning(self.report, "is revolute without <limit>: it is unlimited");
            }
            return;
        };
        let Some(child) = Self::child(element, "limit") else { return };
        if limit.velocity.is_some() {
            self.counter
                .add(child, "attribute \"velocity\" is not simulated: velocities are not limited");
        }
        let message = match (limit.lower, limit.upper) {
            (None, None) => return,
            (Some(_), None) => "has `lower` without `upper`: the position is not limited",
            (None, Some(_)) => "has `upper` without `lower`: the position is not limited",
            (Some(lower), Some(upper)) if lower > upper => {
                "has `lower` above `upper`: the position is not limited"
            }
            (Some(lower), Some(upper)) if lower == upper && joint.kind.is_scalar() => {
                if joint.kind == JointKind::Continuous {
                    return;
                }
                "has `lower` equal to `upper`: the position is not limited; use a fixed joint instead"
            }
            _ => match joint.kind {
                JointKind::Continuous => {
                    "limits a continuous joint: make the joint revolute, or remove the limit"
                }
                JointKind::Planar => {
                    "limits only the first of the three components of a planar joint"
                }
                JointKind::Floating => "has no effect: a floating joint has no limits",
                _ => return,
            },
        };
        child.warning(self.report, message);
    }

    /// Validates all `mimic` references.
    pub(super) fn mimics(&mut self, joints: &[(Element<'a>, Joint)]) {
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (i, (_, joint)) in joints.iter().enumerate() {
            if joint.kind != JointKind::Fixed || !names.contains_key(joint.name.as_str()) {
                names.insert(&joint.name, i);
            }
        }
        let mimicked = |i: usize| {
            let mimic = joints[i].1.mimic.as_ref()?;
            names.get(mimic.joint.as_str()).copied()
        };
        for (i, (element, joint)) in joints.iter().enumerate() {
            let Some(mimic) = &joint.mimic else { continue };
            let Some(at) = Self::child(*element, "mimic") else { continue };
            let problem = match mimicked(i) {
                None if self.report.is_full() => return,
                None => {
                    let name = mimic.joint.clone();
                    let suggestion =
                        nearest(&name, joints.iter().map(|(_, joint)| joint.name.as_str()))
                            .map(ToOwned::to_owned);
                    ErrorKind::UnknownName { kind: "joint", name, suggestion }
                }
                Some(other) if other == i => {
                    ErrorKind::Invalid("a joint cannot mimic itself".into())
                }
                Some(_) if joint.kind == JointKind::Fixed => {
                    at.warning(self.report, "has no effect on a fixed joint");
                    continue;
                }
                Some(_) if !joint.kind.is_scalar() => ErrorKind::Invalid(format!(
                    "a {} joint cannot mimic another: only revolute, continuous and prismatic \
                     joints can",
                    joint.kind.name()
                )),
                Some(other) if joints[other].1.kind == JointKind::Fixed => {
                    let message =
                        format!("`{}` is fixed: this joint stays at `offset`", mimic.joint);
                    at.warning(self.report, message);
                    continue;
                }
                Some(other) if !joints[other].1.kind.is_scalar() => ErrorKind::Invalid(format!(
                    "`{}` is {}: only revolute, continuous and prismatic joints can be mimicked",
                    mimic.joint,
                    joints[other].1.kind.name()
                )),
                Some(_) => continue,
            };
            at.error(self.report, Some("joint"), problem);
        }
        self.mimic_cycles(joints, mimicked);
    }

    /// Reports cyclic `mimic` references.
    fn mimic_cycles(
        &mut self,
        joints: &[(Element<'a>, Joint)],
        mimicked: impl Fn(usize) -> Option<usize>,
    ) {
        // Start of the traversal that first visited each joint; each joint is visited once.
        let mut visited = vec![usize::MAX; joints.len()];
        for start in 0..joints.len() {
            let mut at = start;
            while visited[at] == usize::MAX {
                visited[at] = start;
                match mimicked(at) {
                    Some(next) if next != at => at = next,
                    _ => break,
                }
                if visited[at] == start {
                    let message = "cyclic mimic references: one of the joints must be independent";
                    let element = Self::child(joints[at].0, "mimic").unwrap_or(joints[at].0);
                    element.error(self.report, Some("joint"), ErrorKind::Invalid(message.into()));
                }
            }
        }
    }
}
