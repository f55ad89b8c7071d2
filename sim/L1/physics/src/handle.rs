//! Typed handles of model elements, looked up by name once or on every call.

use crate::Error;
use sim_core::Model;
use sim_core::types::ObjType;

/// Anything that identifies an element of a model: its name, or a handle looked up before.
///
/// ```
/// # use sim_physics::prelude::*;
/// # let mut sim = Simulation::from_xml("<mujoco><worldbody><body name='b'><joint name='j'/>
/// #     <geom size='.1'/></body></worldbody></mujoco>")?;
/// let joint = sim.find::<JointHandle>("j")?;
/// assert_eq!(sim.joint_pos("j")?, sim.joint_pos(joint)?);
/// # Ok::<(), Error>(())
/// ```
pub trait Find<H> {
    /// The handle.
    ///
    /// # Errors
    /// When the model has no such element.
    fn find(self, model: &Model) -> Result<H, Error>;
}

/// A handle: the index of an element of one type in the model's arrays.
pub trait Handle: Copy {
    /// Name of the element type in error messages.
    const KIND: &'static str;
    /// Element type of [`Model::name2id`].
    const TYPE: ObjType;

    /// The handle of the element with this index. The index is checked when the handle is used.
    #[must_use]
    fn from_id(id: usize) -> Self;

    /// Index of the element in the model's arrays.
    #[must_use]
    fn id(self) -> usize;
}

macro_rules! handles {
    ($($name:ident $kind:literal $type:ident $count:ident;)*) => {
        $(
            #[doc = concat!("Handle of a ", $kind, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(usize);

            impl Handle for $name {
                const KIND: &'static str = $kind;
                const TYPE: ObjType = ObjType::$type;

                fn from_id(id: usize) -> Self {
                    Self(id)
                }

                fn id(self) -> usize {
                    self.0
                }
            }

            impl Find<$name> for $name {
                fn find(self, model: &Model) -> Result<$name, Error> {
                    if self.0 < model.$count {
                        return Ok(self);
                    }
                    Err(Error::NoSuchElement { kind: $kind, id: self.0, count: model.$count })
                }
            }
        )*
    };
}

handles! {
    ActuatorHandle "actuator" Actuator nu;
    BodyHandle "body" Body nbody;
    GeomHandle "geom" Geom ngeom;
    JointHandle "joint" Joint njnt;
    KeyframeHandle "keyframe" Key nkey;
    SensorHandle "sensor" Sensor nsensor;
    SiteHandle "site" Site nsite;
    TendonHandle "tendon" Tendon ntendon;
}

impl<H: Handle> Find<H> for &str {
    fn find(self, model: &Model) -> Result<H, Error> {
        let id = model.name2id(H::TYPE, self);
        let unknown = || Error::UnknownName { kind: H::KIND, name: self.to_owned() };
        id.map(H::from_id).ok_or_else(unknown)
    }
}

impl<H: Handle> Find<H> for &String {
    fn find(self, model: &Model) -> Result<H, Error> {
        <&str as Find<H>>::find(self, model)
    }
}
