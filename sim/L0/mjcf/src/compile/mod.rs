//! The compiler: [`Spec`] to [`Model`], pass by pass.
//!
//! order (ids and names) → tree (bodies and what hangs on them) → relations (what refers by name)
//! → size → lower (fill the arrays) → finish (what follows from the arrays).

mod actuator;
mod asset;
mod attached;
mod body;
mod bvh;
mod chain;
mod contact;
mod discard;
mod equality;
mod finish;
mod fluid;
mod fuse;
mod geom;
mod joint;
mod key;
mod length_range;
mod lower;
pub(crate) mod math;
mod names;
mod order;
mod orientation;
mod relations;
mod sensor;
mod shape;
mod size;
mod sleep;
mod sparse;
mod tendon;
mod xpbd;

use crate::error::{ErrorKind, Errors, Report};
use crate::spec::{Origin, Spec, Tri};
use sim_core::Model;

pub(crate) use orientation::resolve;
pub(crate) use sensor::sensed_kind;
pub(crate) use xpbd::element as deformable_element;

/// A point after a step of `offset`, in the axes of `quat`.
pub(crate) fn moved(pos: math::Vec3, quat: math::Quat, offset: math::Vec3) -> math::Vec3 {
    math::Pose { pos, quat }.then(math::Pose { pos: offset, ..math::Pose::IDENTITY }).pos
}

/// Compiles a spec; errors and warnings go through `report`.
pub(crate) fn compile(spec: &Spec, report: &mut Report) -> Result<Model, Errors> {
    let mut context = Context { spec, report };
    let mut order = order::order(&mut context);
    context.report.check()?;
    let mut assets = asset::compile(&mut context, &order);
    context.report.check()?;
    let mut tree = body::compile(&mut context, &order, &assets);
    if spec.compiler.fusestatic {
        tree = fuse::fuse(&mut context, tree);
        order.reindex(&tree, &assets);
    }
    body::check_free(&mut context, &tree);
    if spec.compiler.discardvisual {
        discard::discard(spec, &mut tree, &mut assets);
        order.reindex(&tree, &assets);
    }
    let relations = relations::compile(&mut context, &order, &assets, &tree);
    context.report.check()?;
    let sizes = size::sizes(&mut context, &assets, &tree, &relations);
    context.report.check()?;
    let mut model = lower::lower(spec, &sizes, &assets, &tree, &relations);
    names::lower(spec, &assets, &tree, &relations, &mut model);
    key::keys(&mut context, &order, &tree, &mut model);
    context.report.check()?;
    finish::finish(spec, &tree, &mut model);
    tendon::check_sleep(&mut context, &model);
    length_range::set(&mut context, &mut model);
    context.report.check()?;
    sleep::check(&mut context, &tree, &model);
    xpbd::add(&mut context, &mut model);
    context.report.check()?;
    Ok(model)
}

/// What every pass needs: the spec, and where to complain.
pub(super) struct Context<'a, 'r> {
    pub(super) spec: &'a Spec,
    report: &'r mut Report,
}

impl Context<'_, '_> {
    /// Reports an error of an object.
    pub(super) fn error(
        &mut self,
        origin: Origin,
        element: &str,
        attribute: Option<&str>,
        kind: ErrorKind,
    ) {
        self.report.error(self.spec.location(origin), element, attribute, kind);
    }

    /// Reports a value that means nothing.
    pub(super) fn invalid(
        &mut self,
        origin: Origin,
        element: &str,
        attribute: Option<&str>,
        message: impl Into<String>,
    ) {
        self.error(origin, element, attribute, ErrorKind::Invalid(message.into()));
    }

    /// Reports something worth a second look.
    pub(super) fn warning(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        self.report.warning(self.spec.location(origin), element, message);
    }

    /// Checks that user data fits in the size the model declares for it.
    pub(super) fn check_user(
        &mut self,
        origin: Origin,
        element: &str,
        user: &[f64],
        declared: i32,
        size: &str,
    ) {
        if usize::try_from(declared).is_ok_and(|n| user.len() > n) {
            let message = format!("has {} numbers, but <size {size}=\"{declared}\">", user.len());
            self.invalid(origin, element, Some("user"), message);
        }
    }

    /// Whether a limit is active: asked for, or implied by a range that is not empty.
    ///
    /// Complains about a range without effect.
    pub(super) fn limit(
        &mut self,
        (origin, element): (Origin, &str),
        prefix: &str,
        limited: Tri,
        range: [f64; 2],
    ) -> bool {
        match limited {
            Tri::True => return true,
            Tri::False => return false,
            Tri::Auto => {}
        }
        let attribute = format!("{prefix}range");
        if range != [0.0; 2] && !self.spec.compiler_of(origin).autolimits {
            let message = format!(
                "has no effect without `{prefix}limited` when autolimits is off: add {prefix}limited=\"true\""
            );
            self.invalid(origin, element, Some(&attribute), message);
        } else if range != [0.0; 2] && range[0] >= range[1] {
            let message = format!("attribute \"{attribute}\" is empty, so it has no effect");
            self.warning(origin, element, message);
        }
        range[0] < range[1]
    }

    /// Checks that a range holds more than one number.
    pub(super) fn check_range(
        &mut self,
        (origin, element): (Origin, &str),
        attribute: &str,
        range: [f64; 2],
    ) {
        if range[0] >= range[1] {
            let message = "the first number must be smaller than the second";
            self.invalid(origin, element, Some(attribute), message);
        }
    }

    /// The unit quaternion of an orientation; reports an impossible one.
    pub(super) fn orientation(
        &mut self,
        origin: Origin,
        element: &str,
        orientation: &crate::spec::Orientation,
    ) -> math::Quat {
        match resolve(self.spec.compiler_of(origin), orientation) {
            Ok(quat) => quat,
            Err((attribute, message)) => {
                self.invalid(origin, element, Some(attribute), message);
                math::IDENTITY
            }
        }
    }
}
