//! Finding, adding and deleting elements of a spec.

use super::compose::Fragment;
use super::fluent::Listed;
use super::{
    Actuator, Body, BodyId, Camera, DefaultClass, DefaultId, Deformable, Equality, Exclude, Frame,
    FrameId, Geom, HField, Joint, Key, Light, Material, Mesh, Numeric, Pair, Sensor, Site, Spec,
    Tendon, Text, Texture, Tuple,
};

impl Spec {
    /// An empty model with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { modelname: name.into(), ..Self::default() }
    }

    /// The id of the body of this name.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.depth_first().into_iter().find(|id| self.bodies[id.0].name == name)
    }

    /// The bodies of the tree, each after its parent, in the order of the model.
    pub(crate) fn depth_first(&self) -> Vec<BodyId> {
        self.subtree(BodyId(0))
    }

    /// A body and those below it, in the order of the model.
    #[must_use]
    pub fn subtree(&self, root: BodyId) -> Vec<BodyId> {
        let mut order = Vec::new();
        let mut stack = vec![root];
        // A tree edited into a loop ends here; the compiler reports it.
        while let Some(id) = stack.pop()
            && order.len() <= self.bodies.len()
        {
            let Some(body) = self.bodies.get(id.0) else { continue };
            stack.extend(body.children.iter().rev());
            order.push(id);
        }
        order
    }

    /// Adds a body below another and returns its id.
    pub fn add_body(&mut self, parent: BodyId, body: Body) -> BodyId {
        let id = BodyId(self.bodies.len());
        self.bodies.push(Body { parent, ..body });
        if let Some(parent) = self.bodies.get_mut(parent.0) {
            parent.children.push(id);
        }
        id
    }

    /// Adds a frame, for elements of any one body, and returns its id.
    pub fn add_frame(&mut self, frame: Frame) -> FrameId {
        self.frames.push(frame);
        FrameId(self.frames.len() - 1)
    }

    /// Adds a default class that starts as a copy of another, and returns its id.
    pub fn add_default(&mut self, name: impl Into<String>, parent: DefaultId) -> DefaultId {
        let class = DefaultId(self.defaults.len());
        let mut prototypes = self.defaults.get(parent.0).cloned().unwrap_or_default();
        prototypes.set_class(class);
        let (name, parent) = (name.into(), Some(parent));
        self.defaults.push(DefaultClass { name, parent, ..prototypes });
        class
    }

    /// Adds an element outside the tree: an asset, an actuator, a sensor and so on.
    pub fn add(&mut self, item: impl Listed) -> &mut Self {
        item.list(self);
        self
    }

    /// Deletes a body, everything below it, and everything that refers to what is gone: contacts,
    /// equalities, tendons, actuators, sensors. Returns whether there was such a body.
    ///
    /// Keyframes forget the part of the state that is gone. Ids of other bodies stay valid.
    pub fn delete_body(&mut self, name: &str) -> bool {
        let Some(id) = self.find_body(name).filter(|id| id.0 > 0) else { return false };
        Fragment::delete(self, id);
        true
    }
}

/// Finding and deleting elements by name.
macro_rules! by_name {
    (body: $($item:ident $list:ident $get:ident $get_mut:ident $delete:ident;)*) => {
        impl Spec {
            $(
                #[doc = concat!("The ", stringify!($get), " of this name.")]
                #[must_use]
                pub fn $get(&self, name: &str) -> Option<&$item> {
                    self.bodies.iter().flat_map(|b| &b.$list).find(|x| x.name == name)
                }

                #[doc = concat!("The ", stringify!($get), " of this name, for changing.")]
                pub fn $get_mut(&mut self, name: &str) -> Option<&mut $item> {
                    self.bodies.iter_mut().flat_map(|b| &mut b.$list).find(|x| x.name == name)
                }

                #[doc = concat!("Deletes the ", stringify!($get), " of this name; what refers to it stays.")]
                pub fn $delete(&mut self, name: &str) -> Option<$item> {
                    self.bodies.iter_mut().find_map(|b| {
                        let at = b.$list.iter().position(|x| x.name == name)?;
                        Some(b.$list.remove(at))
                    })
                }
            )*
        }
    };
    (spec: $($item:ident $list:ident $get:ident $get_mut:ident $delete:ident;)*) => {
        impl Spec {
            $(
                #[doc = concat!("The ", stringify!($get), " of this name.")]
                #[must_use]
                pub fn $get(&self, name: &str) -> Option<&$item> {
                    self.$list.iter().find(|x| x.name == name)
                }

                #[doc = concat!("The ", stringify!($get), " of this name, for changing.")]
                pub fn $get_mut(&mut self, name: &str) -> Option<&mut $item> {
                    self.$list.iter_mut().find(|x| x.name == name)
                }

                #[doc = concat!("Deletes the ", stringify!($get), " of this name; what refers to it stays.")]
                pub fn $delete(&mut self, name: &str) -> Option<$item> {
                    let at = self.$list.iter().position(|x| x.name == name)?;
                    Some(self.$list.remove(at))
                }
            )*
        }
    };
}

by_name! { body:
    Joint joints joint joint_mut delete_joint;
    Geom geoms geom geom_mut delete_geom;
    Site sites site site_mut delete_site;
    Camera cameras camera camera_mut delete_camera;
    Light lights light light_mut delete_light;
}

by_name! { spec:
    Mesh meshes mesh mesh_mut delete_mesh;
    HField hfields hfield hfield_mut delete_hfield;
    Texture textures texture texture_mut delete_texture;
    Material materials material material_mut delete_material;
    Pair pairs pair pair_mut delete_pair;
    Exclude excludes exclude exclude_mut delete_exclude;
    Equality equalities equality equality_mut delete_equality;
    Tendon tendons tendon tendon_mut delete_tendon;
    Actuator actuators actuator actuator_mut delete_actuator;
    Sensor sensors sensor sensor_mut delete_sensor;
    Numeric numerics numeric numeric_mut delete_numeric;
    Text texts text text_mut delete_text;
    Tuple tuples tuple tuple_mut delete_tuple;
    Key keys key key_mut delete_key;
    Deformable deformables deformable deformable_mut delete_deformable;
}
