//! Search, insertion and deletion of elements of a spec.

use super::attach::Subtree;
use super::builder::ModelElement;
use super::{
    Actuator, Body, BodyId, Camera, DefaultClass, DefaultId, Deformable, Equality, Exclude, Flex,
    Frame, FrameId, Geom, HField, Joint, Key, Light, Material, Mesh, Numeric, Pair, Sensor, Site,
    Skin, Spec, Tendon, Text, Texture, Tuple,
};

impl Spec {
    /// Creates an empty model with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { modelname: name.into(), ..Self::default() }
    }

    /// Id of the body with this name.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.depth_first().into_iter().find(|id| self.bodies[id.0].name == name)
    }

    /// The bodies of the tree in depth-first order, which is the order of the model.
    pub(crate) fn depth_first(&self) -> Vec<BodyId> {
        self.subtree(BodyId(0))
    }

    /// The subtree of a body in depth-first order.
    #[must_use]
    pub fn subtree(&self, root: BodyId) -> Vec<BodyId> {
        let mut order = Vec::new();
        let mut stack = vec![root];
        // Terminates if the tree was edited into a loop, which the compiler reports.
        while let Some(id) = stack.pop()
            && order.len() <= self.bodies.len()
        {
            let Some(body) = self.bodies.get(id.0) else { continue };
            stack.extend(body.children.iter().rev());
            order.push(id);
        }
        order
    }

    /// Adds a child body and returns its id.
    pub fn add_body(&mut self, parent: BodyId, body: Body) -> BodyId {
        let id = BodyId(self.bodies.len());
        self.bodies.push(Body { parent, ..body });
        if let Some(parent) = self.bodies.get_mut(parent.0) {
            parent.children.push(id);
        }
        id
    }

    /// Adds a frame for elements of one body, and returns its id.
    pub fn add_frame(&mut self, frame: Frame) -> FrameId {
        self.frames.push(frame);
        FrameId(self.frames.len() - 1)
    }

    /// Adds a default class as a copy of its parent, and returns its id.
    pub fn add_default(&mut self, name: impl Into<String>, parent: DefaultId) -> DefaultId {
        let class = DefaultId(self.defaults.len());
        let mut elements = self.defaults.get(parent.0).cloned().unwrap_or_default();
        elements.set_class(class);
        let (name, parent) = (name.into(), Some(parent));
        self.defaults.push(DefaultClass { name, parent, ..elements });
        class
    }

    /// Adds an element outside the tree, such as an asset, an actuator or a sensor.
    pub fn add(&mut self, item: impl ModelElement) -> &mut Self {
        item.add_to(self);
        self
    }

    /// Deletes a body with its subtree and all elements that refer to it: contacts, equalities,
    /// tendons, actuators, sensors, tuples. Returns whether the body existed.
    ///
    /// The state of deleted objects is removed from keyframes. Ids of other bodies stay valid.
    pub fn delete_body(&mut self, name: &str) -> bool {
        let Some(id) = self.find_body(name).filter(|id| id.0 > 0) else { return false };
        Subtree::delete(self, id);
        true
    }
}

/// Generates search and deletion of elements by name.
macro_rules! by_name {
    (body: $($item:ident $list:ident $get:ident $get_mut:ident $delete:ident;)*) => {
        impl Spec {
            $(
                #[doc = concat!("The ", stringify!($get), " with this name.")]
                #[must_use]
                pub fn $get(&self, name: &str) -> Option<&$item> {
                    self.bodies.iter().flat_map(|b| &b.$list).find(|x| x.name == name)
                }

                #[doc = concat!("The ", stringify!($get), " with this name, mutable.")]
                pub fn $get_mut(&mut self, name: &str) -> Option<&mut $item> {
                    self.bodies.iter_mut().flat_map(|b| &mut b.$list).find(|x| x.name == name)
                }

                #[doc = concat!("Deletes the ", stringify!($get), " with this name, but not the elements that refer to it.")]
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
                #[doc = concat!("The ", stringify!($get), " with this name.")]
                #[must_use]
                pub fn $get(&self, name: &str) -> Option<&$item> {
                    self.$list.iter().find(|x| x.name == name)
                }

                #[doc = concat!("The ", stringify!($get), " with this name, mutable.")]
                pub fn $get_mut(&mut self, name: &str) -> Option<&mut $item> {
                    self.$list.iter_mut().find(|x| x.name == name)
                }

                #[doc = concat!("Deletes the ", stringify!($get), " with this name, but not the elements that refer to it.")]
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
    Flex flexes flex flex_mut delete_flex;
    Skin skins skin skin_mut delete_skin;
}
