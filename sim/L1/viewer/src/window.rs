//! Windows: one event loop for all windows of the process, on a thread of its own where the operating system
//! allows it.

use crate::ViewerError;
use crate::app::App;
use crate::canvas::GpuCanvas;
use crate::options::Options;
use egui::ViewportId;
use egui_wgpu::winit::Painter;
use egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use mesh_gpu::{AdapterSelection, Context};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Fullscreen, Window, WindowId};

/// A window to open.
pub(crate) struct Request {
    app: App,
    title: String,
    size: [u32; 2],
    adapter: Option<String>,
    frame: Duration,
    close_after: Option<Duration>,
    opened: Sender<Result<(), ViewerError>>,
    /// Is dropped when the window is closed.
    closed: Sender<()>,
}

/// Appearance of a window.
pub(crate) struct Appearance {
    title: String,
    size: [u32; 2],
    adapter: Option<String>,
    max_fps: f64,
    close_after: Option<f64>,
}

impl Appearance {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            title: options.title.clone(),
            size: options.size,
            adapter: options.adapter.clone(),
            max_fps: options.max_fps,
            close_after: options.close_after,
        }
    }
}

/// A window that is open; receiving fails when it is closed.
pub(crate) type Closed = Receiver<()>;

/// Events of the event loop.
#[allow(clippy::large_enum_variant, reason = "windows are opened rarely")]
enum Event {
    Open(Box<Request>),
    /// The window has something new to show after a delay.
    Repaint(WindowId, Duration),
}

fn request(
    app: App,
    appearance: Appearance,
) -> (Request, Receiver<Result<(), ViewerError>>, Closed) {
    let ((opened, is_open), (closed, is_closed)) = (channel(), channel());
    let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or_default();
    let request = Request {
        app,
        title: appearance.title,
        size: appearance.size,
        adapter: appearance.adapter,
        frame: seconds(1.0 / appearance.max_fps),
        close_after: appearance.close_after.map(seconds),
        opened,
        closed,
    };
    (request, is_open, is_closed)
}

#[cfg(not(target_os = "macos"))]
mod platform {
    use super::{Event, ViewerError, Windows};
    use std::sync::mpsc::channel;
    use std::sync::{Mutex, OnceLock, PoisonError};
    use winit::event_loop::{EventLoop, EventLoopProxy};

    /// Access to the event loop: a process can have one only.
    static EVENT_LOOP: OnceLock<Result<Mutex<EventLoopProxy<Event>>, String>> = OnceLock::new();

    /// Starts the thread of the event loop with the first window.
    pub(super) fn proxy() -> Result<EventLoopProxy<Event>, ViewerError> {
        let proxy = EVENT_LOOP.get_or_init(|| {
            let (send, receive) = channel();
            let work = move || {
                let mut builder = EventLoop::<Event>::with_user_event();
                any_thread(&mut builder);
                match builder.build() {
                    Ok(event_loop) => {
                        let proxy = event_loop.create_proxy();
                        let _ = send.send(Ok(proxy.clone()));
                        // an error ends the thread: windows close, and new ones cannot be opened
                        let _ = event_loop.run_app(&mut Windows::new(proxy, false));
                    }
                    Err(error) => drop(send.send(Err(error.to_string()))),
                }
            };
            let thread = std::thread::Builder::new().name("window".to_owned()).spawn(work);
            thread.map_err(|error| error.to_string())?;
            let stopped = || Err("the event loop stopped".to_owned());
            receive.recv().unwrap_or_else(|_| stopped()).map(Mutex::new)
        });
        match proxy {
            Ok(proxy) => Ok(proxy.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            Err(reason) => Err(ViewerError::Window(reason.clone())),
        }
    }

    #[cfg(windows)]
    fn any_thread(builder: &mut winit::event_loop::EventLoopBuilder<Event>) {
        use winit::platform::windows::EventLoopBuilderExtWindows;
        builder.with_any_thread(true);
    }

    #[cfg(not(windows))]
    fn any_thread(builder: &mut winit::event_loop::EventLoopBuilder<Event>) {
        winit::platform::x11::EventLoopBuilderExtX11::with_any_thread(builder, true);
        winit::platform::wayland::EventLoopBuilderExtWayland::with_any_thread(builder, true);
    }
}

/// Opens a window and returns when it is visible.
#[cfg(not(target_os = "macos"))]
pub(crate) fn open(app: App, appearance: Appearance) -> Result<Closed, ViewerError> {
    let proxy = platform::proxy()?;
    let (request, opened, closed) = request(app, appearance);
    let stopped = || ViewerError::Window("the event loop stopped".to_owned());
    proxy.send_event(Event::Open(Box::new(request))).map_err(|_| stopped())?;
    opened.recv().map_err(|_| stopped())??;
    Ok(closed)
}

/// Windows must be on the main thread here.
#[cfg(target_os = "macos")]
pub(crate) fn open(_app: App, _appearance: Appearance) -> Result<Closed, ViewerError> {
    Err(ViewerError::MainThread)
}

/// Opens a window and returns when it is closed.
#[cfg(not(target_os = "macos"))]
pub(crate) fn run(app: App, appearance: Appearance) -> Result<(), ViewerError> {
    // an error means that the window is closed
    let _ = open(app, appearance)?.recv();
    Ok(())
}

/// Opens a window on this thread, which must be the main one, and returns when it is closed. A process can do
/// this once.
#[cfg(target_os = "macos")]
pub(crate) fn run(app: App, appearance: Appearance) -> Result<(), ViewerError> {
    let failed = |error: winit::error::EventLoopError| ViewerError::Window(error.to_string());
    let event_loop = winit::event_loop::EventLoop::<Event>::with_user_event().build();
    let event_loop = event_loop.map_err(failed)?;
    let proxy = event_loop.create_proxy();
    let (request, opened, _closed) = request(app, appearance);
    let stopped = || ViewerError::Window("the event loop stopped".to_owned());
    proxy.send_event(Event::Open(Box::new(request))).map_err(|_| stopped())?;
    event_loop.run_app(&mut Windows::new(proxy, true)).map_err(failed)?;
    opened.try_recv().map_err(|_| stopped())?
}

/// All windows of the process.
struct Windows {
    proxy: EventLoopProxy<Event>,
    windows: HashMap<WindowId, ViewerWindow>,
    /// Whether the loop ends with the last window.
    is_finite: bool,
}

impl Windows {
    fn new(proxy: EventLoopProxy<Event>, is_finite: bool) -> Self {
        Self { proxy, windows: HashMap::new(), is_finite }
    }

    fn close(&mut self, id: WindowId, event_loop: &ActiveEventLoop) {
        self.windows.remove(&id);
        if self.windows.is_empty() && self.is_finite {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler<Event> for Windows {
    fn resumed(&mut self, _event_loop: &ActiveEventLoop) {}

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: Event) {
        match event {
            Event::Open(request) => {
                let opened = request.opened.clone();
                match ViewerWindow::open(*request, event_loop, &self.proxy) {
                    Ok(window) => {
                        window.window.request_redraw();
                        self.windows.insert(window.window.id(), window);
                        // the caller may have ended
                        let _ = opened.send(Ok(()));
                    }
                    Err(error) => {
                        let _ = opened.send(Err(error));
                        if self.is_finite {
                            event_loop.exit();
                        }
                    }
                }
            }
            Event::Repaint(id, delay) => {
                if let Some(window) = self.windows.get_mut(&id) {
                    window.repaint_after(delay);
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        let Some(window) = self.windows.get_mut(&id) else { return };
        let mut close = false;
        match &event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => close = true,
            WindowEvent::RedrawRequested => close = window.paint(),
            event => window.event(event),
        }
        if close {
            self.close(id, event_loop);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let expired = |window: &ViewerWindow| window.close_at.is_some_and(|at| at <= now);
        let ids: Vec<WindowId> =
            self.windows.iter().filter(|(_, w)| expired(w)).map(|(id, _)| *id).collect();
        ids.into_iter().for_each(|id| self.close(id, event_loop));
        let mut wake: Option<Instant> = None;
        for window in self.windows.values_mut() {
            if window.next.is_some_and(|next| next <= now) {
                window.next = None;
                window.window.request_redraw();
            }
            for at in [window.next, window.close_at].into_iter().flatten() {
                wake = Some(wake.map_or(at, |wake| wake.min(at)));
            }
        }
        event_loop.set_control_flow(wake.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

/// A window and its user interface.
struct ViewerWindow {
    app: App,
    canvas: GpuCanvas,
    painter: Painter,
    state: egui_winit::State,
    ctx: egui::Context,
    window: Arc<Window>,
    /// Shortest time between two frames.
    frame: Duration,
    last: Instant,
    /// When the next frame is due.
    next: Option<Instant>,
    close_at: Option<Instant>,
    is_fullscreen: bool,
    /// Changes of textures that have not been applied: a frame is skipped if the surface is lost.
    textures: egui::TexturesDelta,
    _closed: Sender<()>,
}

impl Drop for ViewerWindow {
    fn drop(&mut self) {
        self.textures.clear();
    }
}

impl ViewerWindow {
    fn open(
        request: Request,
        event_loop: &ActiveEventLoop,
        proxy: &EventLoopProxy<Event>,
    ) -> Result<Self, ViewerError> {
        let [width, height] = request.size;
        let attributes = Window::default_attributes()
            .with_title(&request.title)
            .with_inner_size(LogicalSize::new(width, height));
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| ViewerError::Window(error.to_string()))?);
        let mut selection = AdapterSelection::from_env();
        if request.adapter.is_some() {
            selection.name = request.adapter;
        }
        let context = Context::for_window(&selection, window.clone())?;
        let ctx = egui::Context::default();
        // a second pass would handle the mouse twice
        ctx.options_mut(|options| options.max_passes = std::num::NonZeroUsize::MIN);
        ctx.set_theme(egui::Theme::Dark);
        let (id, sender) = (window.id(), proxy.clone());
        ctx.set_request_repaint_callback(move |info| {
            let _ = sender.send_event(Event::Repaint(id, info.delay));
        });
        let repaint = ctx.clone();
        request.app.on_new_state(move || repaint.request_repaint());
        let (painter, render_state) = painter(&ctx, &context, &window)?;
        let state = egui_winit::State::new(
            ctx.clone(),
            ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            painter.max_texture_side(),
        );
        let now = Instant::now();
        Ok(Self {
            app: request.app,
            canvas: GpuCanvas::new(context, render_state),
            painter,
            state,
            ctx,
            window,
            frame: request.frame,
            last: now,
            next: Some(now),
            close_at: request.close_after.map(|after| now + after),
            is_fullscreen: false,
            textures: egui::TexturesDelta::default(),
            _closed: request.closed,
        })
    }

    /// Schedules a frame.
    fn repaint_after(&mut self, delay: Duration) {
        let Some(at) = Instant::now().checked_add(delay) else { return };
        let at = at.max(self.last + self.frame);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    fn event(&mut self, event: &WindowEvent) {
        if let WindowEvent::Resized(size) = event
            && let (Some(width), Some(height)) =
                (size.width.try_into().ok(), size.height.try_into().ok())
        {
            self.painter.on_window_resized(ViewportId::ROOT, width, height);
        }
        if self.state.on_window_event(&self.window, event).repaint {
            self.repaint_after(Duration::ZERO);
        }
    }

    /// Draws a frame; returns whether the window is to be closed.
    fn paint(&mut self) -> bool {
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return false;
        }
        self.last = Instant::now();
        let input = self.state.take_egui_input(&self.window);
        let (app, canvas) = (&mut self.app, &mut self.canvas);
        let output = self.ctx.run_ui(input, |ui| app.ui(ui, canvas));
        self.textures.append(output.textures_delta);
        self.state.handle_platform_output(&self.window, output.platform_output);
        let scale = output.pixels_per_point;
        let shapes = self.ctx.tessellate(output.shapes, scale);
        self.painter.paint_and_update_textures(
            ViewportId::ROOT,
            scale,
            [0.0, 0.0, 0.0, 1.0],
            &shapes,
            &mut self.textures,
            Vec::new(),
            &self.window,
        );
        if let Some(viewport) = output.viewport_output.get(&ViewportId::ROOT) {
            self.repaint_after(viewport.repaint_delay);
        }
        if self.app.is_fullscreen() != self.is_fullscreen {
            self.is_fullscreen = self.app.is_fullscreen();
            let mode = self.is_fullscreen.then_some(Fullscreen::Borderless(None));
            self.window.set_fullscreen(mode);
        }
        self.app.is_closed()
    }
}

/// The painter of the user interface, on the device of the renderer.
fn painter(
    ctx: &egui::Context,
    context: &Context,
    window: &Arc<Window>,
) -> Result<(Painter, egui_wgpu::RenderState), ViewerError> {
    let existing = WgpuSetupExisting {
        instance: context.instance().clone(),
        adapter: context.adapter().clone(),
        device: context.device().clone(),
        queue: context.queue().clone(),
    };
    let config =
        WgpuConfiguration { wgpu_setup: WgpuSetup::Existing(existing), ..Default::default() };
    let options = egui_wgpu::RendererOptions::default();
    let mut painter = pollster::block_on(Painter::new(ctx.clone(), config, false, options));
    let failed = |reason: String| ViewerError::Window(reason);
    pollster::block_on(painter.set_window(ViewportId::ROOT, Some(window.clone())))
        .map_err(|error| failed(error.to_string()))?;
    let state = painter.render_state().ok_or_else(|| failed("no surface".to_owned()))?;
    Ok((painter, state))
}
