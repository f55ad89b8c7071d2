//! Binary format of `Data`: state, inputs and all computed quantities.

use crate::binary::{BinaryError, Reader, invalid};
use crate::field::Element;
use crate::{Data, Model};

impl Data {
    /// First bytes of the binary format.
    pub const MAGIC: &'static [u8; 8] = b"SIMDATA1";

    /// Serialises all fields, contacts and constraint rows included. Timers are not included.
    ///
    /// ```
    /// let model = sim_mjcf::load_str(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom size='1'/></body>\
    ///      </worldbody></mujoco>")?;
    /// let mut data = model.make_data();
    /// data.step(&model)?;
    /// let copy = sim_core::Data::from_bytes(&model, &data.to_bytes())?;
    /// assert_eq!((copy.time, &copy.qpos, &copy.contact), (data.time, &data.qpos, &data.contact));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Self::MAGIC.to_vec();
        self.write_fields(&mut out);
        for warning in &self.warning {
            for value in [warning.lastinfo, warning.number] {
                out.extend_from_slice(&(value as u64).to_le_bytes());
            }
        }
        let mut deformables = Vec::new();
        self.deformable_state(&mut deformables);
        f64::put(&deformables, &mut out);
        out
    }

    /// Deserialises what [`Data::to_bytes`] wrote, for the same model.
    ///
    /// # Errors
    ///
    /// If the bytes were not written by this version of the library, or for a model with other sizes.
    pub fn from_bytes(m: &Model, bytes: &[u8]) -> Result<Self, BinaryError> {
        let fields = bytes.strip_prefix(Self::MAGIC).ok_or(BinaryError::Foreign)?;
        let mut reader = Reader(fields);
        let mut d = m.make_data();
        d.read_fields(&mut reader)?;
        for warning in &mut d.warning {
            for value in [&mut warning.lastinfo, &mut warning.number] {
                *value = usize::try_from(reader.u64()?).map_err(|_| invalid("warning"))?;
            }
        }
        let deformables = f64::get(reader.rest()).ok_or_else(|| invalid("deformable bodies"))?;
        d.set_deformable_state(&deformables).map_err(|_| invalid("deformable bodies"))?;
        Ok(d)
    }
}
