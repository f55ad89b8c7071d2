"""The context that MuJoCo's rendering needs; images are rendered without OpenGL, so that it has no effect."""


class GLContext:
    """Stands for an OpenGL context."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self.max_width, self.max_height = max_width, max_height

    def make_current(self) -> None:
        """Does nothing."""

    def free(self) -> None:
        """Does nothing."""


__all__ = ["GLContext"]
