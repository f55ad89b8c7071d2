//! Images of the environments of a batch.

use super::GpuBatch;
use crate::layout::{StorageBuffer, index};
use crate::render::run_parameters;
use crate::{BatchRenderer, GpuBatchError, RenderOptions};
use std::time::Duration;

impl GpuBatch {
    /// Prepares images of cameras of all environments: compiles the kernels and allocates the images.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Render`] if a camera does not exist, [`GpuBatchError::Device`] if the images do not fit the
    /// device.
    pub fn renderer(&self, options: &RenderOptions) -> Result<BatchRenderer, GpuBatchError> {
        let (precision, checked) = (self.options.precision, self.options.checked);
        let (m, kernel) = (&self.model, &self.kernel);
        BatchRenderer::new(&self.gpu, m, kernel, self.count, precision, checked, options)
    }

    /// Renders the current state of all environments, which the host does not have to read: the poses follow from the
    /// state on the device. Submits the work and returns immediately.
    ///
    /// Geoms are drawn with the sizes, colours and local poses of the model; parameters that
    /// [`GpuBatch::randomize`] changed affect the poses of bodies only.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if the renderer was made for another number of environments.
    pub fn render(&mut self, renderer: &BatchRenderer) -> Result<(), GpuBatchError> {
        self.submit_render(renderer, false)
    }

    /// Renders, waits, and returns the time on the device; `None` if it has no timestamp queries.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::render`].
    pub fn render_timed(
        &mut self,
        renderer: &BatchRenderer,
    ) -> Result<Option<Duration>, GpuBatchError> {
        self.submit_render(renderer, true)?;
        let elapsed = renderer.elapsed()?;
        self.wait()?;
        Ok(elapsed)
    }

    fn submit_render(
        &mut self,
        renderer: &BatchRenderer,
        timed: bool,
    ) -> Result<(), GpuBatchError> {
        super::check_length("renderer", renderer.count(), self.count)?;
        let buffers = StorageBuffer::ALL.map(|buffer| match buffer {
            StorageBuffer::Output => renderer.body_poses.raw(),
            _ => self.buffers.get(buffer),
        });
        let bodies = self.gpu.bind(renderer.body_kernel(), &buffers)?;
        let parts: Vec<_> = self.parts().collect();
        for part in &parts {
            let run = run_parameters(self.count, part, self.buffers.model_stride);
            self.buffers.run.write(&self.gpu, 0, bytemuck::cast_slice(&[run]))?;
            if parts.len() > 1 {
                let groups = index(part.len());
                self.gpu.run(&[(renderer.body_kernel(), groups)], &bodies, None);
            }
        }
        renderer.submit((parts.len() == 1).then_some(&bodies), timed);
        Ok(())
    }
}
