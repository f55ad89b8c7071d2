//! The compiler: [`Spec`] to [`Model`] (mj_compile).
//!
//! Passes: symbols (ids and names) → plugins → assets → tree (bodies and their elements) → nontree (elements
//! that refer to others by name) → size → lower (fill the arrays) → finish (derived fields).

mod actuator;
mod asset;
mod body;
mod bvh;
mod camera;
mod chain;
mod contact;
mod discard;
mod equality;
mod finish;
mod flex;
mod fluid_ellipsoid;
mod fuse;
mod geom;
mod joint;
mod key;
mod length_range;
mod light;
mod lower;
pub(crate) mod math;
mod names;
mod nontree;
mod orientation;
mod plugin;
mod primitive;
mod sensor;
mod site;
mod size;
mod skin;
mod sleep;
mod sparse;
mod symbols;
mod tendon;
mod visual;
mod xpbd;

use crate::error::{ErrorKind, Errors, Report};
use crate::spec::{Origin, Spec, Tri};
use sim_core::Model;

pub(crate) use orientation::resolve;
pub(crate) use sensor::sensor_objtype;
pub(crate) use xpbd::element as deformable_element;

/// `pos` translated by `offset`, which is given in the frame of `quat`.
pub(crate) fn translate_local(pos: math::Vec3, quat: math::Quat, offset: math::Vec3) -> math::Vec3 {
    math::Pose { pos, quat }.then(math::Pose { pos: offset, ..math::Pose::IDENTITY }).pos
}

/// Compiles a spec; errors and warnings are added to `report`.
pub(crate) fn compile(spec: &Spec, report: &mut Report) -> Result<Model, Errors> {
    let mut context = Context { spec, report };
    let mut symbols = symbols::build(&mut context);
    context.report.check()?;
    let plugins = plugin::compile(&mut context, &symbols);
    context.report.check()?;
    let mut assets = asset::compile(&mut context, &symbols, &plugins);
    context.report.check()?;
    let mut tree = body::compile(&mut context, &symbols, &assets);
    if spec.compiler.fusestatic {
        tree = fuse::fuse(&mut context, tree);
        symbols.reindex(&tree, &assets);
    }
    body::check_free(&mut context, &tree);
    if spec.compiler.discardvisual {
        discard::discard(spec, &mut tree, &mut assets);
        symbols.reindex(&tree, &assets);
    }
    let nontree = nontree::compile(&mut context, (&symbols, &plugins), &assets, &tree);
    let users = plugins.users(&mut context, &tree);
    context.report.check()?;
    let sizes = size::sizes(&mut context, (&assets, &plugins), &tree, &nontree);
    context.report.check()?;
    let mut model = lower::lower(spec, &sizes, &assets, &tree, &nontree);
    plugins.lower(&users, &mut model);
    names::lower(spec, (&assets, &plugins), &tree, &nontree, &mut model);
    key::keys(&mut context, &symbols, &tree, &mut model);
    context.report.check()?;
    finish::finish(spec, &tree, &mut model);
    plugins.init(&mut context, &mut model);
    context.report.check()?;
    tendon::check_sleep(&mut context, &model);
    length_range::set(&mut context, &mut model);
    context.report.check()?;
    sleep::check(&mut context, &tree, &model);
    xpbd::add(&mut context, &mut model);
    context.report.check()?;
    Ok(model)
}

/// State shared by all passes: the spec and the diagnostics.
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

    /// Reports an invalid value.
    pub(super) fn invalid(
        &mut self,
        origin: Origin,
        element: &str,
        attribute: Option<&str>,
        message: impl Into<String>,
    ) {
        self.error(origin, element, attribute, ErrorKind::Invalid(message.into()));
    }

    /// Reports a warning.
    pub(super) fn warning(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        self.report.warning(self.spec.location(origin), element, message);
    }

    /// Checks that user data fits the size declared in `<size>`.
    pub(super) fn check_user(
        &mut self,
        origin: Origin,
        element: &str,
        user: &[f64],
        declared: i32,
        size: &str,
    ) {
        if usize::try_from(declared).is_ok_and(|n| user.len() > n) {
            let message = format!(
                "has {} numbers, but <size {size}=\"{declared}\"> declares fewer",
                user.len()
            );
            self.invalid(origin, element, Some("user"), message);
        }
    }

    /// Whether a limit is active: set explicitly, or implied by a non-empty range (`autolimits`).
    ///
    /// Reports a range without effect.
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

    /// Checks that a range is not empty.
    pub(super) fn check_range(
        &mut self,
        (origin, element): (Origin, &str),
        attribute: &str,
        range: [f64; 2],
    ) {
        if range[0] >= range[1] {
            let message = "the first value must be smaller than the second";
            self.invalid(origin, element, Some(attribute), message);
        }
    }

    /// Unit quaternion of an orientation; reports an invalid one.
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
