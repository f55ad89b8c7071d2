//! Elements of a model by name, looked up once or every time.

use crate::Error;
use sim_core::Model;
use sim_core::types::ObjType;

/// What finds an element of a model: its name, or a handle that was looked up before.
///
/// ```
/// # use sim_physics::prelude::*;
/// # let mut sim = Simulation::from_xml("<mujoco><worldbody><body name='b'><joint name='j'/>
/// #     <geom size='.1'/></body></worldbody></mujoco>")?;
/// let joint = sim.find::<Joint>("j")?;
/// assert_eq!(sim.joint_pos("j")?, sim.joint_pos(joint)?);
/// # Ok::<(), Error>(())
/// ```
pub trait Find<T> {
    /// The handle.
    ///
    /// # Errors
    /// When the model has no such element.
    fn find(self, model: &Model) -> Result<T, Error>;
}

/// A kind of element that has names.
pub trait Handle: Copy {
    /// The kind, as error messages say it.
    const KIND: &'static str;
    /// The kind, as models know it.
    const TYPE: ObjType;

    /// The element with a number; it is looked at only when it is used.
    #[must_use]
    fn from_id(id: usize) -> Self;

    /// Its number: where it is in the arrays of the model.
    #[must_use]
    fn id(self) -> usize;
}

macro_rules! handles {
    ($($name:ident $kind:literal $type:ident $count:ident;)*) => {
        $(
            #[doc = concat!("The handle of a ", $kind, ".")]
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
    Actuator "actuator" Actuator nu;
    Body "body" Body nbody;
    Geom "geom" Geom ngeom;
    Joint "joint" Joint njnt;
    Keyframe "keyframe" Key nkey;
    Sensor "sensor" Sensor nsensor;
    Site "site" Site nsite;
    Tendon "tendon" Tendon ntendon;
}

impl<T: Handle> Find<T> for &str {
    fn find(self, model: &Model) -> Result<T, Error> {
        let id = model.name2id(T::TYPE, self);
        let unknown = || Error::UnknownName { kind: T::KIND, name: self.to_owned() };
        id.map(T::from_id).ok_or_else(unknown)
    }
}

impl<T: Handle> Find<T> for &String {
    fn find(self, model: &Model) -> Result<T, Error> {
        <&str as Find<T>>::find(self, model)
    }
}
