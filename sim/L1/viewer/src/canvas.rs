//! The image of the scenes: on a GPU, or none in tests of the user interface.

use crate::record::Image;
use mesh_gpu::{Context, wgpu};
use sim_physics::Model;
use sim_physics::render::{Outputs, Renderer};
use sim_physics::scene::{RenderFlag, Scene};

/// A scene to draw in one rectangle of a grid.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    /// The model of the scene.
    pub model: &'a Model,
    /// Identity of the model's meshes and textures.
    pub assets: u64,
    /// The scene.
    pub scene: &'a Scene,
}

/// Draws scenes.
pub trait Canvas {
    /// Draws scenes of one size side by side in rows of `columns`, from the top left. The first row of the
    /// texture is the lowest of the image. `None` if nothing is drawn.
    ///
    /// # Errors
    ///
    /// A message if the device fails.
    fn draw(
        &mut self,
        tiles: &[Tile<'_>],
        columns: usize,
        size: [u32; 2],
    ) -> Result<Option<egui::TextureId>, String>;

    /// Draws the scenes to memory.
    ///
    /// # Errors
    ///
    /// A message if the device fails.
    fn capture(
        &mut self,
        tiles: &[Tile<'_>],
        columns: usize,
        size: [u32; 2],
    ) -> Result<Image, String>;

    /// Name of the device.
    fn device(&self) -> String;

    /// Whether images are drawn with few pixels, small shadow maps and without multisampling.
    fn is_draft(&self) -> bool {
        false
    }

    /// Draws with few pixels, small shadow maps and without multisampling, or with the quality of the model.
    fn set_draft(&mut self, _draft: bool) {}
}

/// Draws nothing, for tests of the user interface without a GPU.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCanvas;

impl Canvas for NoCanvas {
    fn draw(
        &mut self,
        _tiles: &[Tile<'_>],
        _columns: usize,
        _size: [u32; 2],
    ) -> Result<Option<egui::TextureId>, String> {
        Ok(None)
    }

    fn capture(
        &mut self,
        tiles: &[Tile<'_>],
        columns: usize,
        size: [u32; 2],
    ) -> Result<Image, String> {
        let columns = columns.max(1);
        let rows = tiles.len().div_ceil(columns);
        let size = [size[0] * columns as u32, size[1] * rows as u32];
        Ok(Image { size, rgb: vec![0; 3 * size[0] as usize * size[1] as usize] })
    }

    fn device(&self) -> String {
        "none".to_owned()
    }
}

/// Most renderers that are kept; each holds the meshes and textures of a model.
const MAX_RENDERERS: usize = 4;

/// Draws with the renderer of this project.
pub(crate) struct GpuCanvas {
    context: Context,
    state: egui_wgpu::RenderState,
    /// Renderers of models, the most recently used last.
    renderers: Vec<(u64, Renderer)>,
    /// Image of several tiles.
    atlas: Option<wgpu::Texture>,
    /// Texture of the user interface, and the view that it shows.
    shown: Option<(egui::TextureId, wgpu::TextureView)>,
    /// Image that was computed on the CPU.
    uploaded: Option<wgpu::Texture>,
    /// Small shadow maps and no multisampling.
    draft: bool,
}

/// Largest shadow map of drafts, in texels.
const DRAFT_SHADOWS: i32 = 1024;

impl GpuCanvas {
    pub(crate) fn new(context: Context, state: egui_wgpu::RenderState) -> Self {
        // a software driver takes seconds for the default quality
        let draft = context.is_software();
        let (atlas, shown, uploaded) = (None, None, None);
        Self { context, state, renderers: Vec::new(), atlas, shown, uploaded, draft }
    }

    /// The renderer of a model for images of a size.
    fn renderer(&mut self, tile: &Tile<'_>, size: [u32; 2]) -> Result<&mut Renderer, String> {
        match self.renderers.iter().position(|(assets, _)| *assets == tile.assets) {
            Some(i) => {
                let found = self.renderers.remove(i);
                self.renderers.push(found);
            }
            None => {
                let renderer = if self.draft {
                    let mut model = tile.model.clone();
                    let quality = &mut model.vis.quality;
                    quality.shadowsize = quality.shadowsize.min(DRAFT_SHADOWS);
                    quality.offsamples = 0;
                    Renderer::new(&self.context, &model, size)
                } else {
                    Renderer::new(&self.context, tile.model, size)
                };
                let renderer = renderer.map_err(|error| error.to_string())?;
                self.renderers.push((tile.assets, renderer));
                if self.renderers.len() > MAX_RENDERERS {
                    self.renderers.remove(0);
                }
            }
        }
        let Some((_, renderer)) = self.renderers.last_mut() else {
            return Err("no renderer".to_owned());
        };
        if renderer.size() != size {
            renderer.resize(size).map_err(|error| error.to_string())?;
        }
        Ok(renderer)
    }

    /// Copies a tile to its place in the image of several tiles.
    fn copy_to_atlas(&mut self, view: &wgpu::TextureView, origin: [u32; 2], size: [u32; 2]) {
        let Some(atlas) = &self.atlas else { return };
        let mut encoder = self.context.device().create_command_encoder(&Default::default());
        let mut to = atlas.as_image_copy();
        to.origin = wgpu::Origin3d { x: origin[0], y: origin[1], z: 0 };
        let extent = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 };
        encoder.copy_texture_to_texture(view.texture().as_image_copy(), to, extent);
        self.context.queue().submit([encoder.finish()]);
    }

    /// Makes a texture that the user interface shows.
    fn texture(&self, size: [u32; 2]) -> wgpu::Texture {
        self.context.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("viewer"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        })
    }

    /// The id under which the user interface shows a view.
    fn show(&mut self, view: wgpu::TextureView) -> egui::TextureId {
        let (device, mut renderer) = (&self.state.device, self.state.renderer.write());
        let filter = wgpu::FilterMode::Linear;
        match &mut self.shown {
            Some((id, shown)) if *shown == view => *id,
            Some((id, shown)) => {
                renderer.update_egui_texture_from_wgpu_texture(device, &view, filter, *id);
                *shown = view;
                *id
            }
            None => {
                let id = renderer.register_native_texture(device, &view, filter);
                self.shown = Some((id, view));
                id
            }
        }
    }

    /// Shows an image that was computed on the CPU.
    fn upload(&mut self, image: &Image) -> egui::TextureId {
        let [width, height] = image.size;
        let fits = |t: &wgpu::Texture| [t.width(), t.height()] == image.size;
        let texture = match self.uploaded.take().filter(fits) {
            Some(texture) => texture,
            None => self.texture(image.size),
        };
        let row = 3 * width as usize;
        let rows = image.rgb.chunks_exact(row.max(1)).rev();
        let pixels = rows.flat_map(|row| row.as_chunks::<3>().0);
        let rgba: Vec<u8> = pixels.flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        self.context.queue().write_texture(
            texture.as_image_copy(),
            &rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * width),
                rows_per_image: None,
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        let view = texture.create_view(&Default::default());
        self.uploaded = Some(texture);
        self.show(view)
    }
}

impl Canvas for GpuCanvas {
    fn draw(
        &mut self,
        tiles: &[Tile<'_>],
        columns: usize,
        size: [u32; 2],
    ) -> Result<Option<egui::TextureId>, String> {
        let on_cpu = |tile: &Tile<'_>| {
            [RenderFlag::Depth, RenderFlag::Segment].iter().any(|flag| tile.scene.flag(*flag))
        };
        if tiles.iter().any(on_cpu) {
            let image = self.capture(tiles, columns, size)?;
            return Ok(Some(self.upload(&image)));
        }
        if let [tile] = tiles {
            let view = self.renderer(tile, size)?.render_texture(tile.scene);
            return Ok(Some(self.show(view.map_err(|error| error.to_string())?)));
        }
        let columns = columns.max(1) as u32;
        let rows = (tiles.len() as u32).div_ceil(columns);
        let total = [columns * size[0], rows * size[1]];
        if self.atlas.as_ref().is_none_or(|atlas| [atlas.width(), atlas.height()] != total) {
            self.atlas = Some(self.texture(total));
        }
        for (i, tile) in (0..).zip(tiles) {
            let view = self.renderer(tile, size)?.render_texture(tile.scene);
            let view = view.map_err(|error| error.to_string())?;
            // rows are stored from the bottom
            let origin = [i % columns * size[0], (rows - 1 - i / columns) * size[1]];
            self.copy_to_atlas(&view, origin, size);
        }
        let view = self.atlas.as_ref().map(|atlas| atlas.create_view(&Default::default()));
        Ok(view.map(|view| self.show(view)))
    }

    fn capture(
        &mut self,
        tiles: &[Tile<'_>],
        columns: usize,
        size: [u32; 2],
    ) -> Result<Image, String> {
        let columns = columns.max(1);
        let rows = tiles.len().div_ceil(columns);
        let [width, height] = size.map(|n| n as usize);
        let stride = 3 * width * columns;
        let mut rgb = vec![0; stride * height * rows];
        for (i, tile) in tiles.iter().enumerate() {
            let picture = self.renderer(tile, size)?.render(tile.scene, Outputs::RGB);
            let picture = picture.map_err(|error| error.to_string())?;
            let start = i / columns * height * stride + i % columns * 3 * width;
            for (y, row) in picture.rgb.chunks_exact(3 * width).enumerate() {
                rgb[start + y * stride..][..3 * width].copy_from_slice(row);
            }
        }
        Ok(Image { size: [size[0] * columns as u32, size[1] * rows as u32], rgb })
    }

    fn is_draft(&self) -> bool {
        self.draft
    }

    fn set_draft(&mut self, draft: bool) {
        if draft != self.draft {
            self.draft = draft;
            self.renderers.clear();
        }
    }

    fn device(&self) -> String {
        let software = if self.context.is_software() { " (software)" } else { "" };
        format!("{}{software}", self.context.name())
    }
}
