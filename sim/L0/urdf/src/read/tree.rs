//! Validation of the kinematic tree.

use super::Reader;
use crate::robot::Joint;
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::Element;

impl<'a> Reader<'a, '_> {
    /// The parent joint of each link; reports violations of the tree structure.
    pub(super) fn tree(
        &mut self,
        links: usize,
        joints: &[(Element<'a>, Joint)],
    ) -> Vec<Option<usize>> {
        let mut parent_joints: Vec<Option<usize>> = vec![None; links];
        for (i, (element, joint)) in joints.iter().enumerate() {
            let end = |name| Self::child(*element, name).unwrap_or(*element);
            let child = end("child");
            let name = child.attribute("link").unwrap_or_default();
            if name == "world" {
                let message = "the link `world` is the world, which cannot be a child: \
                               exchange parent and child, or rename the link";
                child.error(self.report, Some("link"), ErrorKind::Invalid(message.into()));
            }
            if let Some(first) = parent_joints[joint.child] {
                let message = format!(
                    "`{name}` is already the child of the joint `{}` at {}: a link has a single parent",
                    joints[first].1.name,
                    joints[first].0.location()
                );
                child.error(self.report, Some("link"), ErrorKind::Invalid(message));
                continue;
            }
            parent_joints[joint.child] = Some(i);
        }
        self.loops(joints, &parent_joints);
        if self.report.is_ok() {
            self.check_roots(&parent_joints);
        }
        parent_joints
    }

    /// Reports kinematic loops.
    fn loops(&mut self, joints: &[(Element<'a>, Joint)], parent_joints: &[Option<usize>]) {
        // Start of the traversal that first visited each link; each link is visited once.
        let mut visited = vec![usize::MAX; parent_joints.len()];
        for start in 0..parent_joints.len() {
            let mut at = start;
            while visited[at] == usize::MAX {
                visited[at] = start;
                let Some(joint) = parent_joints[at] else { break };
                at = joints[joint].1.parent;
                if visited[at] == start {
                    self.report_loop(joints, parent_joints, at);
                }
            }
        }
    }

    /// Reports the loop that contains a link, at its last joint.
    fn report_loop(
        &mut self,
        joints: &[(Element<'a>, Joint)],
        parent_joints: &[Option<usize>],
        link: usize,
    ) {
        let (mut at, mut last) = (link, 0);
        while let Some(joint) = parent_joints[at] {
            last = last.max(joint);
            at = joints[joint].1.parent;
            if at == link {
                break;
            }
        }
        let (element, joint) = &joints[last];
        let message = format!(
            "`{}` closes a kinematic loop without a root; remove it, and close the loop \
             by an equality constraint in MJCF",
            joint.name
        );
        element.error(self.report, None, ErrorKind::Invalid(message));
    }

    /// Warns about several roots.
    fn check_roots(&mut self, parent_joints: &[Option<usize>]) {
        let links = self.names.iter().filter_map(|name| self.links.get(name).copied());
        let roots: Vec<_> = links.filter(|(link, _)| parent_joints[*link].is_none()).collect();
        let Some((_, first)) = roots.first().copied() else { return };
        for (_, element) in roots.into_iter().skip(1) {
            let name = |e: Element<'a>| e.attribute("name").unwrap_or_default();
            let message = format!(
                "`{}` is a second root link besides `{}`: both are fixed to the world",
                name(element),
                name(first)
            );
            element.warning(self.report, message);
        }
    }
}
