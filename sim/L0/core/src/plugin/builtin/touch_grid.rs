//! `mujoco.sensor.touch_grid`: contact forces on the body of a site, binned by direction from the site.
//!
//! The grid covers a field of view around the site's −z axis. Each contact adds its force and torque in the
//! site frame, in the order z, x, y, to the bin of its azimuth and elevation.

use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, quat, rows};
use crate::plugin::{
    Capabilities, Plugin, PluginCanvas, PluginConfig, PluginError, PluginGeom, PluginInstance,
};
use crate::{Data, Model, mj_contact_force};
use sim_types::{GeomType, ObjType, SensorStage, SensorType};
use std::f64::consts::PI;
use std::sync::Arc;

/// Thickness of the boxes that show bins, relative to the distance of the contacts.
const THICKNESS: f64 = 0.02;
/// Largest number of bins along one axis.
const MAX_SIZE: f64 = 8192.0;

/// The kind `mujoco.sensor.touch_grid`.
#[derive(Debug)]
pub(super) struct TouchGridPlugin;

impl Plugin for TouchGridPlugin {
    fn name(&self) -> &'static str {
        "mujoco.sensor.touch_grid"
    }

    fn attributes(&self) -> &[&str] {
        &["nchannel", "size", "fov", "gamma"]
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SENSOR
    }

    fn needstage(&self) -> SensorStage {
        SensorStage::Acc
    }

    fn nsensordata(&self, config: &PluginConfig) -> Result<usize, PluginError> {
        let [x, y] = size(config)?;
        Ok(channels(config)? * x * y)
    }

    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(TouchGrid::new(m, instance)?))
    }
}

/// A grid of one sensor.
#[derive(Debug)]
struct TouchGrid {
    /// The first sensor that uses the instance, and its site; as in MuJoCo, others read zero.
    sensor: Option<(usize, usize)>,
    channels: usize,
    /// Bin edges of azimuth and elevation (rad).
    edges: [Vec<f64>; 2],
}

impl TouchGrid {
    fn new(m: &Model, instance: usize) -> Result<Self, PluginError> {
        let config = m.plugin_config(instance);
        let gamma = config.number("gamma")?.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&gamma) {
            return Err(PluginError::of_key("gamma", "must be between 0 and 1"));
        }
        let fov = fields_of_view(&config)?;
        let size = size(&config)?;
        let used = |&i: &usize| {
            m.sensor_type[i] == SensorType::Plugin
                && usize::try_from(m.sensor_plugin[i]) == Ok(instance)
        };
        for i in (0..m.nsensor).filter(used) {
            if m.sensor_objtype[i] != ObjType::Site {
                let message = "the sensor requires a site: set objtype=\"site\" and `objname`";
                return Err(PluginError::new(message));
            }
        }
        let sensor = (0..m.nsensor).find(used).map(|i| (i, at(&m.sensor_objid, i)));
        let edges = [0, 1].map(|k| edges(size[k], fov[k], gamma));
        Ok(Self { sensor, channels: channels(&config)?, edges })
    }

    /// Adds one contact to the readings.
    fn add(&self, m: &Model, d: &Data, contact: usize, site: usize, out: &mut [f64]) {
        let Some((bin, _)) = self.locate(m, d, contact, site) else { return };
        let parent = m.body_weldid[at(&m.site_bodyid, site)];
        let con = &d.contact[contact];
        let bodies = con.geom.map(|geom| m.geom_bodyid[geom.max(0) as usize]);
        let mut wrench = [0.0; 6];
        mj_contact_force(m, d, contact, &mut wrench);
        let [fx, fy, fz, tx, ty, tz] = wrench;
        let mat = &rows::<9>(&d.site_xmat)[site];
        // the normal points from the body with the smaller id to the other one
        let flip = parent < bodies[0].max(bodies[1]);
        let to_site = |v: Vec3| {
            let world = mat3::mul_transpose_vec(&con.frame, v);
            let [x, y, z] = mat3::mul_transpose_vec(mat, world);
            let v = [z, x, y];
            if flip { v.map(|x| -x) } else { v }
        };
        let (force, torque) = (to_site([fx, fy, fz]), to_site([tx, ty, tz]));
        let channels = force.into_iter().chain(torque).take(self.channels);
        for (channel, value) in channels.enumerate() {
            if let Some(out) = out.get_mut(channel * self.bins() + bin) {
                *out += value;
            }
        }
    }

    /// Number of bins.
    fn bins(&self) -> usize {
        self.edges.iter().map(|edges| edges.len() - 1).product()
    }

    /// Bin of a contact and its distance from the site; `None` if it is not on the body of the site or not in
    /// the field of view.
    fn locate(&self, m: &Model, d: &Data, contact: usize, site: usize) -> Option<(usize, f64)> {
        let parent = m.body_weldid[at(&m.site_bodyid, site)];
        let con = d.contact.get(contact)?;
        // contacts with flexes have no geom
        let [Ok(one), Ok(two)] = con.geom.map(usize::try_from) else { return None };
        let weld = |geom: usize| m.body_weldid[at(&m.geom_bodyid, geom)];
        if weld(one) != parent && weld(two) != parent {
            return None;
        }
        let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
        let [x, y, z] = mat3::mul_transpose_vec(mat, vec3::sub(con.pos, pos));
        let column = bin(&self.edges[0], x.atan2(-z))?;
        let row = bin(&self.edges[1], y.atan2((x * x + z * z).sqrt()))?;
        let radius = (x * x + z * z + y * y).sqrt();
        Some((row * (self.edges[0].len() - 1) + column, radius))
    }

    /// Mean distance of the contacts of each bin; zero without contacts.
    fn distances(&self, m: &Model, d: &Data, site: usize) -> Vec<f64> {
        let mut sums = vec![(0.0, 0_u32); self.bins()];
        for contact in 0..d.contact.len() {
            if let Some((bin, radius)) = self.locate(m, d, contact, site) {
                sums[bin].0 += radius;
                sums[bin].1 += 1;
            }
        }
        sums.into_iter().map(|(sum, n)| if n == 0 { 0.0 } else { sum / f64::from(n) }).collect()
    }
}

impl PluginInstance for TouchGrid {
    fn compute(&self, m: &Model, d: &mut Data, _: Capabilities) {
        let Some((sensor, site)) = self.sensor else { return };
        let mut sensordata = std::mem::take(&mut d.sensordata);
        let start = at(&m.sensor_adr, sensor);
        let out = &mut sensordata[start..start + at(&m.sensor_dim, sensor)];
        out.fill(0.0);
        for contact in 0..d.contact.len() {
            self.add(m, d, contact, site, out);
        }
        d.sensordata = sensordata;
    }

    fn visualize(&self, m: &Model, d: &Data, canvas: &mut dyn PluginCanvas) {
        let Some((sensor, site)) = self.sensor else { return };
        let (start, bins) = (at(&m.sensor_adr, sensor), self.bins());
        let Some(data) = d.sensordata.get(start..start + at(&m.sensor_dim, sensor)) else { return };
        let largest = data.iter().take(bins).fold(0.0_f64, |max, x| max.max(x.abs()));
        if largest == 0.0 {
            return;
        }
        let distances = self.distances(m, d, site);
        let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
        let axis = |k: usize| [mat[k], mat[3 + k], mat[6 + k]];
        let [nx, ny] = [0, 1].map(|k| self.edges[k].len() - 1);
        for (i, j) in (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))) {
            let dist = distances[j * nx + i];
            if dist == 0.0 {
                continue;
            }
            let [x, y] = [&self.edges[0][i..i + 2], &self.edges[1][j..j + 2]];
            let (azimuth, elevation) = (0.5 * (x[1] + x[0]), 0.5 * (y[1] + y[0]));
            let local = direction(azimuth, elevation, dist * (1.0 - THICKNESS));
            let turn = quat::mul(
                quat::from_axis_angle(axis(1).map(|x| -x), azimuth),
                quat::mul(quat::from_axis_angle(axis(0), elevation), quat::from_mat(mat)),
            );
            let mut rgba = [1.0; 4];
            for (k, color) in rgba.iter_mut().take(self.channels.min(3)).enumerate() {
                *color = (data[k * bins + j * nx + i].abs() / largest) as f32;
            }
            canvas.add(&PluginGeom {
                kind: GeomType::Box,
                size: [dist * 0.5 * (x[1] - x[0]), dist * 0.5 * (y[1] - y[0]), dist * THICKNESS],
                pos: vec3::add(mat3::mul_vec(mat, local), pos),
                mat: quat::to_mat(turn),
                rgba,
                id: sensor,
            });
        }
    }
}

/// Point at an azimuth, an elevation and a distance in the frame of the site.
fn direction(azimuth: f64, elevation: f64, radius: f64) -> Vec3 {
    [
        radius * elevation.cos() * azimuth.sin(),
        radius * elevation.sin(),
        -radius * elevation.cos() * azimuth.cos(),
    ]
}

/// Bin of a value: the interval open below and closed above.
fn bin(edges: &[f64], x: f64) -> Option<usize> {
    let above = edges.partition_point(|&edge| edge < x);
    if above == edges.len() { None } else { above.checked_sub(1) }
}

/// Edges of `n` bins of a field of view in degrees; with `gamma`, bins are smaller in the centre.
fn edges(n: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let step = 2.0 / n as f64;
    let mut x: f64 = -1.0;
    let mut edges = Vec::with_capacity(n + 1);
    for _ in 0..=n {
        let foveal = if gamma == 0.0 { x } else { gamma * x.powf(5.0) + (1.0 - gamma) * x };
        edges.push(foveal * (fov * PI / 180.0));
        x += step;
    }
    edges
}

fn channels(config: &PluginConfig) -> Result<usize, PluginError> {
    let n = config.number("nchannel")?.unwrap_or(1.0);
    match n.trunc() {
        0.0 => Ok(1),
        n if (1.0..=6.0).contains(&n) => Ok(n as usize),
        _ => Err(PluginError::of_key("nchannel", "must be between 1 and 6")),
    }
}

/// Number of bins along azimuth and elevation.
fn size(config: &PluginConfig) -> Result<[usize; 2], PluginError> {
    let numbers: [f64; 2] = config
        .numbers("size")?
        .try_into()
        .map_err(|_| PluginError::of_key("size", "requires the two numbers of columns and rows"))?;
    if numbers.iter().any(|n| !(1.0..=MAX_SIZE).contains(n)) {
        let message = format!("both numbers must be between 1 and {MAX_SIZE}");
        return Err(PluginError::of_key("size", message));
    }
    Ok(numbers.map(|n| n as usize))
}

/// Half-angles of the field of view in degrees.
fn fields_of_view(config: &PluginConfig) -> Result<[f64; 2], PluginError> {
    let fov: [f64; 2] = config.numbers("fov")?.try_into().map_err(|_| {
        PluginError::of_key("fov", "requires the two angles of azimuth and elevation in degrees")
    })?;
    for (angle, limit) in fov.into_iter().zip([180.0, 90.0]) {
        if angle <= 0.0 || angle > limit {
            let message = format!("{angle} must be greater than 0 and at most {limit} degrees");
            return Err(PluginError::of_key("fov", message));
        }
    }
    Ok(fov)
}
