"""Access to the elements of a spec by kind: `spec.body(name)` and `spec.bodies`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any, Iterator


class Lookup:
    """Methods that find elements of a spec."""

    def _find(self, kind: str, name: str) -> Any:
        raise NotImplementedError

    def _all(self, kind: str) -> Iterator[ET.Element]:
        raise NotImplementedError

    def _wrap(self, element: ET.Element) -> Any:
        raise NotImplementedError

    def _list(self, kind: str) -> list[Any]:
        return [self._wrap(element) for element in self._all(kind)]

    def body(self, name: str) -> Any:
        """The body with this name."""
        return self._find("body", name)

    @property
    def bodies(self) -> list[Any]:
        """All elements of the kind body."""
        return self._list("body")

    def joint(self, name: str) -> Any:
        """The joint with this name."""
        return self._find("joint", name)

    @property
    def joints(self) -> list[Any]:
        """All elements of the kind joint."""
        return self._list("joint")

    def geom(self, name: str) -> Any:
        """The geom with this name."""
        return self._find("geom", name)

    @property
    def geoms(self) -> list[Any]:
        """All elements of the kind geom."""
        return self._list("geom")

    def site(self, name: str) -> Any:
        """The site with this name."""
        return self._find("site", name)

    @property
    def sites(self) -> list[Any]:
        """All elements of the kind site."""
        return self._list("site")

    def camera(self, name: str) -> Any:
        """The camera with this name."""
        return self._find("camera", name)

    @property
    def cameras(self) -> list[Any]:
        """All elements of the kind camera."""
        return self._list("camera")

    def light(self, name: str) -> Any:
        """The light with this name."""
        return self._find("light", name)

    @property
    def lights(self) -> list[Any]:
        """All elements of the kind light."""
        return self._list("light")

    def frame(self, name: str) -> Any:
        """The frame with this name."""
        return self._find("frame", name)

    @property
    def frames(self) -> list[Any]:
        """All elements of the kind frame."""
        return self._list("frame")

    def actuator(self, name: str) -> Any:
        """The actuator with this name."""
        return self._find("actuator", name)

    @property
    def actuators(self) -> list[Any]:
        """All elements of the kind actuator."""
        return self._list("actuator")

    def sensor(self, name: str) -> Any:
        """The sensor with this name."""
        return self._find("sensor", name)

    @property
    def sensors(self) -> list[Any]:
        """All elements of the kind sensor."""
        return self._list("sensor")

    def tendon(self, name: str) -> Any:
        """The tendon with this name."""
        return self._find("tendon", name)

    @property
    def tendons(self) -> list[Any]:
        """All elements of the kind tendon."""
        return self._list("tendon")

    def equality(self, name: str) -> Any:
        """The equality with this name."""
        return self._find("equality", name)

    @property
    def equalities(self) -> list[Any]:
        """All elements of the kind equality."""
        return self._list("equality")

    def mesh(self, name: str) -> Any:
        """The mesh with this name."""
        return self._find("mesh", name)

    @property
    def meshes(self) -> list[Any]:
        """All elements of the kind mesh."""
        return self._list("mesh")

    def material(self, name: str) -> Any:
        """The material with this name."""
        return self._find("material", name)

    @property
    def materials(self) -> list[Any]:
        """All elements of the kind material."""
        return self._list("material")

    def texture(self, name: str) -> Any:
        """The texture with this name."""
        return self._find("texture", name)

    @property
    def textures(self) -> list[Any]:
        """All elements of the kind texture."""
        return self._list("texture")

    def hfield(self, name: str) -> Any:
        """The hfield with this name."""
        return self._find("hfield", name)

    @property
    def hfields(self) -> list[Any]:
        """All elements of the kind hfield."""
        return self._list("hfield")

    def key(self, name: str) -> Any:
        """The key with this name."""
        return self._find("key", name)

    @property
    def keys(self) -> list[Any]:
        """All elements of the kind key."""
        return self._list("key")

    def pair(self, name: str) -> Any:
        """The pair with this name."""
        return self._find("pair", name)

    @property
    def pairs(self) -> list[Any]:
        """All elements of the kind pair."""
        return self._list("pair")

    def exclude(self, name: str) -> Any:
        """The exclude with this name."""
        return self._find("exclude", name)

    @property
    def excludes(self) -> list[Any]:
        """All elements of the kind exclude."""
        return self._list("exclude")

    def numeric(self, name: str) -> Any:
        """The numeric with this name."""
        return self._find("numeric", name)

    @property
    def numerics(self) -> list[Any]:
        """All elements of the kind numeric."""
        return self._list("numeric")

    def text(self, name: str) -> Any:
        """The text with this name."""
        return self._find("text", name)

    @property
    def texts(self) -> list[Any]:
        """All elements of the kind text."""
        return self._list("text")

    def tuple(self, name: str) -> Any:
        """The tuple with this name."""
        return self._find("tuple", name)

    @property
    def tuples(self) -> list[Any]:
        """All elements of the kind tuple."""
        return self._list("tuple")
