//! Lookup of object names and ids in the hash table `names_map` (`mj_name2id`, `mj_id2name`).

use crate::Model;
use sim_types::ObjType;

/// Slots of `names_map` per object, the inverse of its load factor (`mjLOAD_MULTIPLE`).
#[doc(alias = "mjLOAD_MULTIPLE")]
pub const NAMES_MAP_FACTOR: usize = 2;

/// First probe slot of a name in a section of `slots` slots (`mj_hashString`): the djb2 hash with XOR, modulo
/// `slots`, which must not be 0.
#[allow(clippy::cast_possible_truncation, reason = "the remainder is smaller than `slots`")]
fn hash_name(name: &str, slots: usize) -> usize {
    // bytes are sign-extended, as `char` in MuJoCo
    let hash = name.bytes().fold(5381_u64, |h, byte| {
        (h << 5).wrapping_add(h) ^ i64::from(byte.cast_signed()).cast_unsigned()
    });
    (hash % slots as u64) as usize
}

impl Model {
    /// The id of the object of type `kind` with this name; `None` if there is none.
    #[doc(alias = "mj_name2id")]
    #[must_use]
    pub fn name2id(&self, kind: ObjType, name: &str) -> Option<usize> {
        let (addresses, start) = self.names_of(kind)?;
        let slots = NAMES_MAP_FACTOR * addresses.len();
        let map = self.names_map.get(start..start + slots)?;
        if name.is_empty() || slots == 0 {
            return None;
        }
        let first = hash_name(name, slots);
        for step in 0..slots {
            let id = usize::try_from(map[(first + step) % slots]).ok()?;
            if self.name_at(*addresses.get(id)?) == Some(name) {
                return Some(id);
            }
        }
        None
    }

    /// The name of an object; `None` if it is unnamed or does not exist.
    #[doc(alias = "mj_id2name")]
    #[must_use]
    pub fn id2name(&self, kind: ObjType, id: usize) -> Option<&str> {
        let (addresses, _) = self.names_of(kind)?;
        self.name_at(*addresses.get(id)?).filter(|name| !name.is_empty())
    }

    /// Fills `names_map` from `names` and the `name_*adr` arrays.
    ///
    /// # Panics
    ///
    /// If `names_map` has fewer than [`NAMES_MAP_FACTOR`] slots per object.
    pub fn index_names(&mut self) {
        let mut names_map = std::mem::take(&mut self.names_map);
        names_map.fill(-1);
        let mut rest = names_map.as_mut_slice();
        for (_, addresses) in self.all_names() {
            let slots = NAMES_MAP_FACTOR * addresses.len();
            let map;
            (map, rest) = rest.split_at_mut(slots);
            for (id, &address) in (0..).zip(addresses) {
                if let Some(name) = self.name_at(address).filter(|name| !name.is_empty()) {
                    // linear probing; half of the slots stay empty, so the loop ends
                    let mut slot = hash_name(name, slots);
                    while map[slot] != -1 {
                        slot = (slot + 1) % slots;
                    }
                    map[slot] = id;
                }
            }
        }
        self.names_map = names_map;
    }

    /// The zero-terminated string at an address of `names`.
    fn name_at(&self, address: i32) -> Option<&str> {
        let bytes = self.names.get(usize::try_from(address).ok()?..)?;
        let end = bytes.iter().position(|&b| b == 0)?;
        std::str::from_utf8(&bytes[..end]).ok()
    }

    /// The name addresses of one object type, and the start of its section of `names_map`.
    fn names_of(&self, kind: ObjType) -> Option<(&[i32], usize)> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let mut start = 0;
        for (list, addresses) in self.all_names() {
            if list == kind {
                return Some((addresses, start));
            }
            start += NAMES_MAP_FACTOR * addresses.len();
        }
        None
    }

    /// The name addresses of every object type, in the order of the sections of `names_map`.
    const fn all_names(&self) -> [(ObjType, &Vec<i32>); 23] {
        [
            (ObjType::Body, &self.name_bodyadr),
            (ObjType::Joint, &self.name_jntadr),
            (ObjType::Geom, &self.name_geomadr),
            (ObjType::Site, &self.name_siteadr),
            (ObjType::Camera, &self.name_camadr),
            (ObjType::Light, &self.name_lightadr),
            (ObjType::Flex, &self.name_flexadr),
            (ObjType::Mesh, &self.name_meshadr),
            (ObjType::Skin, &self.name_skinadr),
            (ObjType::HField, &self.name_hfieldadr),
            (ObjType::Texture, &self.name_texadr),
            (ObjType::Material, &self.name_matadr),
            (ObjType::Pair, &self.name_pairadr),
            (ObjType::Exclude, &self.name_excludeadr),
            (ObjType::Equality, &self.name_eqadr),
            (ObjType::Tendon, &self.name_tendonadr),
            (ObjType::Actuator, &self.name_actuatoradr),
            (ObjType::Sensor, &self.name_sensoradr),
            (ObjType::Numeric, &self.name_numericadr),
            (ObjType::Text, &self.name_textadr),
            (ObjType::Tuple, &self.name_tupleadr),
            (ObjType::Key, &self.name_keyadr),
            (ObjType::Plugin, &self.name_pluginadr),
        ]
    }
}
