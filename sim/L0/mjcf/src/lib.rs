//! MJCF in, compiled models out.
