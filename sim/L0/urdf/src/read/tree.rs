//! Whether links and joints make a tree.

use super::Reader;
use crate::robot::Joint;
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::Element;

impl<'a> Reader<'a, '_> {
    /// The joint above each link; reports what is no tree.
    pub(super) fn tree(
        &mut self,
        links: usize,
        joints: &[(Element<'a>, Joint)],
    ) -> Vec<Option<usize>> {
        let mut above: Vec<Option<usize>> = vec![None; links];
        for (i, (element, joint)) in joints.iter().enumerate() {
            let end = |name| Self::child(*element, name).unwrap_or(*element);
            let child = end("child");
            let name = child.attribute("link").unwrap_or_default();
            if name == "world" {
                let message = "the link `world` is the world itself, which hangs on nothing: \
                               exchange parent and child, or rename the link";
                child.error(self.report, Some("link"), ErrorKind::Invalid(message.into()));
            }
            if let Some(first) = above[joint.child] {
                let message = format!(
                    "`{name}` already hangs on the joint `{}` at {}: a link has one parent",
                    joints[first].1.name,
                    joints[first].0.location()
                );
                child.error(self.report, Some("link"), ErrorKind::Invalid(message));
                continue;
            }
            above[joint.child] = Some(i);
        }
        self.loops(joints, &above);
        if self.report.is_ok() {
            self.look_at_roots(&above);
        }
        above
    }

    /// Links that hang on each other.
    fn loops(&mut self, joints: &[(Element<'a>, Joint)], above: &[Option<usize>]) {
        // The walk from which each link was first reached; each link is reached once.
        let mut reached = vec![usize::MAX; above.len()];
        for start in 0..above.len() {
            let mut at = start;
            while reached[at] == usize::MAX {
                reached[at] = start;
                let Some(joint) = above[at] else { break };
                at = joints[joint].1.parent;
                if reached[at] == start {
                    self.looped(joints, above, at);
                }
            }
        }
    }

    /// Reports the loop that a link is in, at its last joint.
    fn looped(&mut self, joints: &[(Element<'a>, Joint)], above: &[Option<usize>], link: usize) {
        let (mut at, mut last) = (link, 0);
        while let Some(joint) = above[at] {
            last = last.max(joint);
            at = joints[joint].1.parent;
            if at == link {
                break;
            }
        }
        let (element, joint) = &joints[last];
        let message = format!(
            "`{}` closes a loop of links: none of them reaches a root; remove it, and close the loop \
             by an equality constraint in MJCF",
            joint.name
        );
        element.error(self.report, None, ErrorKind::Invalid(message));
    }

    /// A robot should have one root.
    fn look_at_roots(&mut self, above: &[Option<usize>]) {
        let links = self.names.iter().filter_map(|name| self.links.get(name).copied());
        let roots: Vec<_> = links.filter(|(link, _)| above[*link].is_none()).collect();
        let Some((_, first)) = roots.first().copied() else { return };
        for (_, element) in roots.into_iter().skip(1) {
            let name = |e: Element<'a>| e.attribute("name").unwrap_or_default();
            let message = format!(
                "`{}` hangs on no joint, as `{}` does: both are fixed to the world",
                name(element),
                name(first)
            );
            element.warning(self.report, message);
        }
    }
}
