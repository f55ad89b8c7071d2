//! Symbol table: depth-first order of bodies and ids by name for every object type.

use super::Context;
use super::asset::Assets;
use super::body::Tree;
use crate::error::{ErrorKind, Location};
use crate::schema::nearest;
use crate::spec::{BodyId, Origin, asset_name};
use sim_core::types::ObjType;
use std::collections::HashMap;

/// Upper bound of the number of bodies: a pair signature packs two body ids into 32 bits.
const MAX_BODIES: usize = 65_534;

/// Ids by name, for one object type.
#[derive(Debug, Default)]
pub(super) struct NameMap<'a>(HashMap<&'a str, (usize, Origin)>);

impl NameMap<'_> {
    pub(super) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).map(|entry| entry.0)
    }
}

/// Order of bodies, and ids by name.
pub(super) struct SymbolTable<'a> {
    /// Bodies of the spec in model order.
    pub(super) bodies: Vec<BodyId>,
    /// Model id of each body of the spec; `None` for those outside the tree.
    ids: Vec<Option<usize>>,
    /// Model id of each body's parent.
    pub(super) parents: Vec<usize>,
    pub(super) body: NameMap<'a>,
    pub(super) joint: NameMap<'a>,
    pub(super) geom: NameMap<'a>,
    pub(super) site: NameMap<'a>,
    pub(super) camera: NameMap<'a>,
    pub(super) tendon: NameMap<'a>,
    pub(super) actuator: NameMap<'a>,
    pub(super) light: NameMap<'a>,
    pub(super) flex: NameMap<'a>,
    skin: NameMap<'a>,
    pub(super) mesh: NameMap<'a>,
    pub(super) hfield: NameMap<'a>,
    pub(super) texture: NameMap<'a>,
    pub(super) material: NameMap<'a>,
    pair: NameMap<'a>,
    exclude: NameMap<'a>,
    equality: NameMap<'a>,
    sensor: NameMap<'a>,
    numeric: NameMap<'a>,
    text: NameMap<'a>,
    tuple: NameMap<'a>,
    key: NameMap<'a>,
}

impl<'a> SymbolTable<'a> {
    /// Updates the ids after bodies or geoms of the tree have been removed.
    pub(super) fn reindex(&mut self, tree: &Tree<'a>, assets: &Assets<'a>) {
        fn names<'a>(items: impl Iterator<Item = (&'a str, Origin)>) -> NameMap<'a> {
            let named = items.enumerate().filter(|(_, (name, _))| !name.is_empty());
            NameMap(named.map(|(id, (name, origin))| (name, (id, origin))).collect())
        }
        macro_rules! list {
            ($list:expr) => {
                names($list.iter().map(|o| (o.spec.name.as_str(), o.spec.origin)))
            };
        }
        self.body = list!(tree.bodies);
        self.geom = list!(tree.geoms);
        self.site = list!(tree.sites);
        self.camera = list!(tree.cameras);
        self.light = list!(tree.lights);
        self.mesh = names(assets.meshes.iter().map(|m| {
            let name = if m.spec.name.is_empty() { asset_name(&m.spec.file) } else { &m.spec.name };
            (name, m.spec.origin)
        }));
        self.ids.fill(None);
        for (id, body) in tree.bodies.iter().enumerate() {
            self.ids[body.id.0] = Some(id);
        }
    }
}

impl SymbolTable<'_> {
    /// Model id of a body of the spec.
    pub(super) fn model_id(&self, body: BodyId) -> Option<usize> {
        self.ids.get(body.0).copied().flatten()
    }

    /// Id of an object of any type; reports an unknown name.
    pub(super) fn find_object(
        &self,
        context: &mut Context<'_, '_>,
        kind: ObjType,
        name: &str,
        reference: (Origin, &str, &str),
    ) -> Option<usize> {
        let (names, word) = match kind {
            ObjType::Body | ObjType::XBody => (&self.body, "body"),
            ObjType::Joint => (&self.joint, "joint"),
            ObjType::Geom => (&self.geom, "geom"),
            ObjType::Site => (&self.site, "site"),
            ObjType::Camera => (&self.camera, "camera"),
            ObjType::Light => (&self.light, "light"),
            ObjType::Flex => (&self.flex, "flex"),
            ObjType::Skin => (&self.skin, "skin"),
            ObjType::Mesh => (&self.mesh, "mesh"),
            ObjType::HField => (&self.hfield, "hfield"),
            ObjType::Texture => (&self.texture, "texture"),
            ObjType::Material => (&self.material, "material"),
            ObjType::Pair => (&self.pair, "pair"),
            ObjType::Exclude => (&self.exclude, "exclude"),
            ObjType::Equality => (&self.equality, "equality"),
            ObjType::Tendon => (&self.tendon, "tendon"),
            ObjType::Actuator => (&self.actuator, "actuator"),
            ObjType::Sensor => (&self.sensor, "sensor"),
            ObjType::Numeric => (&self.numeric, "numeric"),
            ObjType::Text => (&self.text, "text"),
            ObjType::Tuple => (&self.tuple, "tuple"),
            ObjType::Key => (&self.key, "key"),
            _ => return None,
        };
        self.find(context, names, word, name, reference)
    }

    /// Id of a name; reports an unknown name.
    pub(super) fn find(
        &self,
        context: &mut Context<'_, '_>,
        names: &NameMap<'_>,
        kind: &'static str,
        name: &str,
        (origin, element, attribute): (Origin, &str, &str),
    ) -> Option<usize> {
        let id = names.get(name);
        if id.is_none() && !context.report.is_full() {
            let error = if name.is_empty() {
                ErrorKind::MissingAttribute
            } else {
                let suggestion = nearest(name, names.0.keys().copied()).map(ToOwned::to_owned);
                ErrorKind::UnknownName { kind, name: name.to_owned(), suggestion }
            };
            context.error(origin, element, Some(attribute), error);
        }
        id
    }
}

/// Orders the bodies and builds the symbol table; reports repeated names.
pub(super) fn build<'a>(context: &mut Context<'a, '_>) -> SymbolTable<'a> {
    let spec = context.spec;
    let (bodies, parents) = depth_first(context);
    if bodies.len() + spec.flexes.len() >= MAX_BODIES {
        let message = format!(
            "{} bodies exceed the limit: a model has fewer than {MAX_BODIES}",
            bodies.len()
        );
        context.invalid(spec.bodies[0].origin, "worldbody", None, message);
    }

    let each = || bodies.iter().map(|id| &spec.bodies[id.0]);
    let joints = each().flat_map(|b| &b.joints).map(|o| (o.name.as_str(), o.origin));
    let geoms = each().flat_map(|b| &b.geoms).map(|o| (o.name.as_str(), o.origin));
    let sites = each().flat_map(|b| &b.sites).map(|o| (o.name.as_str(), o.origin));
    let cameras = each().flat_map(|b| &b.cameras).map(|o| (o.name.as_str(), o.origin));
    let lights = each().flat_map(|b| &b.lights).map(|o| (o.name.as_str(), o.origin));
    macro_rules! list {
        ($list:ident) => {
            spec.$list.iter().map(|o| (o.name.as_str(), o.origin))
        };
    }
    // The name of an unnamed asset is derived from its file.
    macro_rules! files {
        ($list:ident) => {
            spec.$list.iter().map(|o| {
                let name = if o.name.is_empty() { asset_name(&o.file) } else { &o.name };
                (name, o.origin)
            })
        };
    }
    let mut index =
        |kind, items: &mut dyn Iterator<Item = (&'a str, Origin)>| index(context, kind, items);
    let symbols = SymbolTable {
        body: index("body", &mut each().map(|b| (b.name.as_str(), b.origin))),
        joint: index("joint", &mut joints.into_iter()),
        geom: index("geom", &mut geoms.into_iter()),
        site: index("site", &mut sites.into_iter()),
        camera: index("camera", &mut cameras.into_iter()),
        tendon: index("tendon", &mut list!(tendons)),
        actuator: index("actuator", &mut list!(actuators)),
        light: index("light", &mut lights.into_iter()),
        flex: index("flex", &mut list!(flexes)),
        skin: index("skin", &mut files!(skins)),
        mesh: index("mesh", &mut files!(meshes)),
        hfield: index("hfield", &mut files!(hfields)),
        texture: index("texture", &mut files!(textures)),
        material: index("material", &mut list!(materials)),
        pair: index("pair", &mut list!(pairs)),
        exclude: index("exclude", &mut list!(excludes)),
        equality: index("equality", &mut list!(equalities)),
        sensor: index("sensor", &mut list!(sensors)),
        numeric: index("numeric", &mut list!(numerics)),
        text: index("text", &mut list!(texts)),
        tuple: index("tuple", &mut list!(tuples)),
        key: index("key", &mut list!(keys)),
        bodies: Vec::new(),
        ids: Vec::new(),
        parents,
    };
    index("frame", &mut list!(frames));
    let mut ids = vec![None; spec.bodies.len()];
    for (id, body) in bodies.iter().enumerate() {
        ids[body.0] = Some(id);
    }
    SymbolTable { bodies, ids, ..symbols }
}

/// Bodies in depth-first order from the world, and the model ids of their parents.
///
/// A spec can be edited freely, so a body can have two parents here, which is an error.
fn depth_first(context: &mut Context<'_, '_>) -> (Vec<BodyId>, Vec<usize>) {
    let spec = context.spec;
    let (mut bodies, mut parents) = (Vec::new(), Vec::new());
    let mut seen = vec![false; spec.bodies.len()];
    let mut stack = vec![(BodyId(0), 0)];
    while let Some((id, parent)) = stack.pop() {
        let Some(body) = spec.bodies.get(id.0).filter(|_| !seen[id.0]) else {
            let message = format!("body {} is missing or has two parents", id.0);
            context.invalid(Origin::default(), "body", None, message);
            continue;
        };
        seen[id.0] = true;
        stack.extend(body.children.iter().rev().map(|&child| (child, bodies.len())));
        bodies.push(id);
        parents.push(parent);
    }
    (bodies, parents)
}

fn index<'a>(
    context: &mut Context<'a, '_>,
    kind: &'static str,
    items: &mut dyn Iterator<Item = (&'a str, Origin)>,
) -> NameMap<'a> {
    let mut names = NameMap::default();
    for (id, (name, origin)) in items.enumerate() {
        if name.is_empty() {
            continue;
        }
        match names.0.entry(name) {
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert((id, origin));
            }
            std::collections::hash_map::Entry::Occupied(slot) => {
                let first: Location = context.spec.location(slot.get().1);
                let copied = slot.get().1 != origin && first == context.spec.location(origin);
                let error = if copied {
                    let message = format!(
                        "repeated name `{name}`: two copies of this {kind} have the same name; attach them with \
                         different prefixes"
                    );
                    ErrorKind::Invalid(message)
                } else {
                    ErrorKind::RepeatedName { name: name.to_owned(), kind, first }
                };
                context.error(origin, kind, Some("name"), error);
            }
        }
    }
    names
}
