//! `joint`: its kind, its links, its limits, and the joint that it follows.

use super::Reader;
use crate::robot::{Calibration, Dynamics, Joint, JointKind, Limit, Mimic, SafetyController};
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::{Element, nearest};
use std::collections::HashMap;

/// A direction shorter than this is none.
const NO_LENGTH: f64 = 1e-7;

impl<'a> Reader<'a, '_> {
    /// Every joint whose links are known, with its element.
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
                        "`{name}` is also the name of the joint at {first}; only because one of \
                         them is fixed this means something"
                    );
                    element.warning(self.report, message);
                } else {
                    self.repeated_name(element, "joint", first);
                }
            }
            // Of two joints of one name, the one that moves can be followed.
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
        let parent = self.end(element, "parent");
        let child = self.end(element, "child");
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
        let (safety_controller, calibration) = self.unused(element);
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
        self.look_at_limits(element, &joint);
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

    /// The link that `<parent>` or `<child>` names.
    fn end(&mut self, element: Element<'a>, end: &str) -> Option<usize> {
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
        if kind.is_some_and(JointKind::has_axis) && length < NO_LENGTH {
            let message = "the axis has no length; that about z is \"0 0 1\"";
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

    /// What a joint says to controllers.
    fn unused(&mut self, element: Element<'a>) -> (Option<SafetyController>, Option<Calibration>) {
        let safety = Self::child(element, "safety_controller").map(|safety| {
            self.tally.add(safety, "is not simulated: it belongs to a controller");
            let mut number = |name| self.number(safety, name).unwrap_or_default();
            SafetyController {
                soft_lower_limit: number("soft_lower_limit"),
                soft_upper_limit: number("soft_upper_limit"),
                k_position: number("k_position"),
                k_velocity: number("k_velocity"),
            }
        });
        let calibration = Self::child(element, "calibration").map(|calibration| {
            self.tally.add(calibration, "is not simulated: it belongs to a controller");
            Calibration {
                rising: self.number(calibration, "rising"),
                falling: self.number(calibration, "falling"),
            }
        });
        (safety, calibration)
    }

    /// Limits that are not enforced, or not as their author may think.
    fn look_at_limits(&mut self, element: Element<'a>, joint: &Joint) {
        if joint.kind == JointKind::Fixed {
            for child in ["limit", "dynamics"].into_iter().filter_map(|c| Self::child(element, c)) {
                self.tally.add(child, "has no effect: a fixed joint does not move");
            }
            return;
        }
        let Some(limit) = joint.limit else {
            if joint.kind == JointKind::Revolute {
                element.warning(self.report, "is revolute without <limit>: it turns without end");
            }
            return;
        };
        let Some(child) = Self::child(element, "limit") else { return };
        if limit.velocity.is_some() {
            self.tally.add(child, "attribute \"velocity\" is not simulated: speeds have no limit");
        }
        let message = match (limit.lower, limit.upper) {
            (None, None) => return,
            (Some(_), None) => "has `lower` without `upper`: no position is limited",
            (None, Some(_)) => "has `upper` without `lower`: no position is limited",
            (Some(lower), Some(upper)) if lower > upper => {
                "has `lower` above `upper`: no position is limited"
            }
            (Some(lower), Some(upper)) if lower == upper && joint.kind.is_scalar() => {
                if joint.kind == JointKind::Continuous {
                    return;
                }
                "has `lower` equal to `upper`: no position is limited; make the joint fixed to hold it"
            }
            _ => match joint.kind {
                JointKind::Continuous => {
                    "limits a continuous joint: make it revolute, or remove this"
                }
                JointKind::Planar => "limits only the first of the three joints of a planar one",
                JointKind::Floating => "has no effect: a floating joint has no limits",
                _ => return,
            },
        };
        child.warning(self.report, message);
    }

    /// Whether every joint that follows another can.
    pub(super) fn mimics(&mut self, joints: &[(Element<'a>, Joint)]) {
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (i, (_, joint)) in joints.iter().enumerate() {
            if joint.kind != JointKind::Fixed || !names.contains_key(joint.name.as_str()) {
                names.insert(&joint.name, i);
            }
        }
        let leader = |i: usize| {
            let mimic = joints[i].1.mimic.as_ref()?;
            names.get(mimic.joint.as_str()).copied()
        };
        for (i, (element, joint)) in joints.iter().enumerate() {
            let Some(mimic) = &joint.mimic else { continue };
            let Some(at) = Self::child(*element, "mimic") else { continue };
            let problem = match leader(i) {
                None if self.report.is_full() => return,
                None => {
                    let name = mimic.joint.clone();
                    let suggestion =
                        nearest(&name, joints.iter().map(|(_, joint)| joint.name.as_str()))
                            .map(ToOwned::to_owned);
                    ErrorKind::UnknownName { kind: "joint", name, suggestion }
                }
                Some(other) if other == i => {
                    ErrorKind::Invalid("a joint cannot follow itself; name another one".into())
                }
                Some(_) if joint.kind == JointKind::Fixed => {
                    at.warning(self.report, "has no effect: a fixed joint does not move");
                    continue;
                }
                Some(_) if !joint.kind.is_scalar() => ErrorKind::Invalid(format!(
                    "a {} joint cannot follow another: only revolute, continuous and prismatic \
                     ones can",
                    joint.kind.name()
                )),
                Some(other) if joints[other].1.kind == JointKind::Fixed => {
                    let message =
                        format!("`{}` is fixed: this joint stays at `offset`", mimic.joint);
                    at.warning(self.report, message);
                    continue;
                }
                Some(other) if !joints[other].1.kind.is_scalar() => ErrorKind::Invalid(format!(
                    "`{}` is {}: only revolute, continuous and prismatic joints can be followed",
                    mimic.joint,
                    joints[other].1.kind.name()
                )),
                Some(_) => continue,
            };
            at.error(self.report, Some("joint"), problem);
        }
        self.circles(joints, leader);
    }

    /// Joints that follow each other in a circle.
    fn circles(
        &mut self,
        joints: &[(Element<'a>, Joint)],
        leader: impl Fn(usize) -> Option<usize>,
    ) {
        // The walk from which each joint was first reached; each joint is reached once.
        let mut reached = vec![usize::MAX; joints.len()];
        for start in 0..joints.len() {
            let mut at = start;
            while reached[at] == usize::MAX {
                reached[at] = start;
                match leader(at) {
                    Some(next) if next != at => at = next,
                    _ => break,
                }
                if reached[at] == start {
                    let message = "joints follow each other in a circle: one of them must be free";
                    let element = Self::child(joints[at].0, "mimic").unwrap_or(joints[at].0);
                    element.error(self.report, Some("joint"), ErrorKind::Invalid(message.into()));
                }
            }
        }
    }
}
