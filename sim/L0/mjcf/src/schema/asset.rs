//! Schema of `asset`, `extension` and `deformable`.

use super::default::LAYER;
use super::element;
use super::tree::SURFACE;

element! {
    CONFIG = "config", Many, Supported;
    attributes { key: TEXT, value: TEXT }
}

element! {
    EXTENSION_PLUGIN_INSTANCE = "instance", Many, Supported;
    attributes { name: TEXT }
    children [CONFIG]
}

element! {
    EXTENSION_PLUGIN = "plugin", Many, Supported;
    attributes { plugin: TEXT required }
    children [EXTENSION_PLUGIN_INSTANCE]
}

element! {
    EXTENSION = "extension", Many, Supported;
    attributes {}
    children [EXTENSION_PLUGIN]
}

element! {
    PLUGIN = "plugin", Many, Supported;
    attributes { plugin: TEXT, instance: TEXT }
    children [CONFIG]
}

element! {
    ASSET_MESH = "mesh", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, content_type: TEXT, file: TEXT, vertex: REALS, normal: REALS,
        texcoord: REALS, face: INTS, refpos: R3, refquat: R4, scale: R3, smoothnormal: BOOL,
        maxhullvert: I1, inertia: MESHINERTIA, builtin: MESHBUILTIN, params: REALS, material: TEXT,
        collider: MESHCOLLIDER
    }
    children [PLUGIN]
}

element! {
    ASSET_HFIELD = "hfield", Many, Supported;
    attributes {
        name: TEXT, content_type: TEXT, file: TEXT, nrow: I1, ncol: I1, size: R4 required,
        elevation: REALS
    }
}

element! {
    BONE = "bone", Many, Supported;
    attributes {
        body: TEXT required, bindpos: R3 required, bindquat: R4 required, vertid: INTS required,
        vertweight: REALS required
    }
}

element! {
    ASSET_SKIN = "skin", Many, Supported;
    attributes {
        name: TEXT, file: TEXT, material: TEXT, rgba: R4, inflate: R1, vertex: REALS,
        texcoord: REALS, face: INTS, group: I1
    }
    children [BONE]
}

element! {
    ASSET_TEXTURE = "texture", Many, Supported;
    attributes {
        name: TEXT, type: TEXTURE, colorspace: COLORSPACE, content_type: TEXT, file: TEXT,
        gridsize: I2, gridlayout: TEXT, fileright: TEXT, fileleft: TEXT, fileup: TEXT,
        filedown: TEXT, filefront: TEXT, fileback: TEXT, builtin: BUILTIN, rgb1: R3, rgb2: R3,
        mark: MARK, markrgb: R3, random: R1, width: I1, height: I1, hflip: BOOL, vflip: BOOL,
        nchannel: I1
    }
}

element! {
    ASSET_MATERIAL = "material", Many, Supported;
    attributes {
        name: TEXT required, class: TEXT, texture: TEXT, texrepeat: R2, texuniform: BOOL, emission: R1,
        specular: R1, shininess: R1, reflectance: R1, metallic: R1, roughness: R1, rgba: R4
    }
    children [LAYER]
}

element! {
    ASSET_MODEL = "model", Many, Supported;
    attributes { name: TEXT, file: TEXT required, content_type: TEXT }
}

element! {
    ASSET = "asset", Many, Supported;
    attributes {}
    children [ASSET_MESH, ASSET_HFIELD, ASSET_SKIN, ASSET_TEXTURE, ASSET_MATERIAL, ASSET_MODEL]
}

element! {
    DEFORMABLE_FLEX_CONTACT = "contact", Optional, Supported;
    attributes { internal: BOOL, selfcollide: FLEXSELF, activelayers: I1, passive: BOOL }
    groups [SURFACE]
}

element! {
    DEFORMABLE_FLEX_EDGE = "edge", Optional, Supported;
    attributes { stiffness: R1, damping: R1 }
}

element! {
    DEFORMABLE_FLEX_ELASTICITY = "elasticity", Optional, Supported;
    attributes { young: R1, poisson: R1, damping: R1, thickness: R1, elastic2d: ELASTIC2D }
}

element! {
    DEFORMABLE_FLEX = "flex", Many, Supported;
    attributes {
        name: TEXT, group: I1, dim: I1, radius: R1, material: TEXT, rgba: R4, flatskin: BOOL,
        body: LONG_TEXT required, vertex: REALS, element: INTS required, texcoord: REALS,
        elemtexcoord: INTS, node: LONG_TEXT, nodecoord: REALS, emptycell: INTS, cellcount: I3, dof: FLEXDOF
    }
    children [DEFORMABLE_FLEX_CONTACT, DEFORMABLE_FLEX_EDGE, DEFORMABLE_FLEX_ELASTICITY]
}

element! {
    DEFORMABLE_SKIN = "skin", Many, Supported;
    attributes {
        name: TEXT, file: TEXT, material: TEXT, rgba: R4, inflate: R1, vertex: REALS,
        texcoord: REALS, face: INTS, group: I1
    }
    children [BONE]
}

element! {
    DEFORMABLE = "deformable", Many, Supported;
    attributes {}
    children [DEFORMABLE_FLEX, DEFORMABLE_SKIN]
}
