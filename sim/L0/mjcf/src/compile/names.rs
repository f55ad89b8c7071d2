//! The name buffer, the address of every name in it, and the hash map from names to ids.

use super::asset::Assets;
use super::body::Tree;
use super::lower::id;
use super::nontree::NonTreeElements;
use super::plugin::Plugins;
use crate::spec::{Spec, asset_name};
use sim_core::Model;

/// The names of all objects by type, in MuJoCo's order of types; without keyframes and plugins.
fn lists<'a>(
    spec: &'a Spec,
    assets: &Assets<'a>,
    tree: &Tree<'a>,
    nontree: &NonTreeElements<'a>,
) -> Vec<Vec<&'a str>> {
    macro_rules! names {
        ($list:expr) => {
            $list.iter().map(|o| o.spec.name.as_str()).collect()
        };
    }
    // The name of an unnamed asset is derived from its file.
    macro_rules! files {
        ($list:expr) => {
            $list
                .iter()
                .map(
                    |o| {
                        if o.spec.name.is_empty() { asset_name(&o.spec.file) } else { &o.spec.name }
                    },
                )
                .collect()
        };
    }
    vec![
        names!(tree.bodies),
        names!(tree.joints),
        names!(tree.geoms),
        names!(tree.sites),
        names!(tree.cameras),
        names!(tree.lights),
        names!(nontree.flexes),
        files!(assets.meshes),
        files!(nontree.skins),
        files!(assets.hfields),
        files!(assets.textures),
        names!(assets.materials),
        names!(nontree.pairs),
        names!(nontree.excludes),
        names!(nontree.equalities),
        names!(nontree.tendons),
        names!(nontree.actuators),
        names!(nontree.sensors),
        spec.numerics.iter().map(|n| n.name.as_str()).collect(),
        spec.texts.iter().map(|t| t.name.as_str()).collect(),
        spec.tuples.iter().map(|t| t.name.as_str()).collect(),
    ]
}

/// Length of the name buffer.
pub(super) fn length(
    spec: &Spec,
    (assets, plugins): (&Assets<'_>, &Plugins<'_>),
    tree: &Tree<'_>,
    nontree: &NonTreeElements<'_>,
) -> usize {
    let names = lists(spec, assets, tree, nontree);
    let named = names.iter().flatten().map(|name| name.len() + 1).sum::<usize>();
    let keys = spec.keys.iter().map(|key| key.name.len()).sum::<usize>() + nontree.nkey;
    let plugins = plugins.list.iter().map(|p| p.name.len() + 1).sum::<usize>();
    spec.modelname.len() + 1 + named + keys + plugins
}

/// Fills `names`, `name_*adr` and `names_map`.
pub(super) fn lower<'a>(
    spec: &'a Spec,
    (assets, plugins): (&Assets<'a>, &Plugins<'a>),
    tree: &Tree<'a>,
    nontree: &NonTreeElements<'a>,
    m: &mut Model,
) {
    let lists = lists(spec, assets, tree, nontree);
    let addresses: Vec<&mut Vec<i32>> = vec![
        &mut m.name_bodyadr,
        &mut m.name_jntadr,
        &mut m.name_geomadr,
        &mut m.name_siteadr,
        &mut m.name_camadr,
        &mut m.name_lightadr,
        &mut m.name_flexadr,
        &mut m.name_meshadr,
        &mut m.name_skinadr,
        &mut m.name_hfieldadr,
        &mut m.name_texadr,
        &mut m.name_matadr,
        &mut m.name_pairadr,
        &mut m.name_excludeadr,
        &mut m.name_eqadr,
        &mut m.name_tendonadr,
        &mut m.name_actuatoradr,
        &mut m.name_sensoradr,
        &mut m.name_numericadr,
        &mut m.name_textadr,
        &mut m.name_tupleadr,
    ];
    m.names.clear();
    let mut add = |name: &str| {
        let address = id(m.names.len());
        m.names.extend_from_slice(name.as_bytes());
        m.names.push(0);
        address
    };
    add(&spec.modelname);
    for (list, addresses) in lists.iter().zip(addresses) {
        for (name, address) in list.iter().zip(addresses) {
            *address = add(name);
        }
    }
    for (key, address) in spec.keyframes().zip(&mut m.name_keyadr) {
        *address = add(key.map_or("", |key| &key.name));
    }
    for (plugin, address) in plugins.list.iter().zip(&mut m.name_pluginadr) {
        *address = add(plugin.name);
    }
    m.index_names();
}
