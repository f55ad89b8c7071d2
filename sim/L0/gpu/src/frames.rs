//! Frames on bodies: inertial frames, geoms, sites. What a model marks as coinciding with another frame has
//! that frame itself, which may be a millionth away.

use crate::fill::array;
use sim_core::Model;
use sim_types::SameFrame;

/// A frame on a body.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub body: usize,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
}

impl Frame {
    /// The frame of a body itself.
    pub(crate) const fn of_body(body: usize) -> Self {
        Self { body, pos: [0.0; 3], quat: [1.0, 0.0, 0.0, 0.0] }
    }
}

/// The inertial frame of a body.
pub(crate) fn inertial(m: &Model, body: usize) -> Frame {
    let own = Frame { body, pos: array(&m.body_ipos, body), quat: array(&m.body_iquat, body) };
    coinciding(m.body_sameframe[body], own, own)
}

/// The frame of a geom.
pub(crate) fn geom(m: &Model, g: usize) -> Frame {
    let body = m.geom_bodyid[g] as usize;
    let own = Frame { body, pos: array(&m.geom_pos, g), quat: array(&m.geom_quat, g) };
    coinciding(m.geom_sameframe[g], own, inertial(m, body))
}

/// The frame of a site.
pub(crate) fn site(m: &Model, s: usize) -> Frame {
    let body = m.site_bodyid[s] as usize;
    let own = Frame { body, pos: array(&m.site_pos, s), quat: array(&m.site_quat, s) };
    coinciding(m.site_sameframe[s], own, inertial(m, body))
}

fn coinciding(same: SameFrame, own: Frame, inertial: Frame) -> Frame {
    let body = Frame::of_body(own.body);
    match same {
        SameFrame::None => own,
        SameFrame::Body => body,
        SameFrame::BodyRot => Frame { quat: body.quat, ..own },
        SameFrame::Inertia => inertial,
        SameFrame::InertiaRot => Frame { quat: inertial.quat, ..own },
    }
}
