"""One position on its way to a picture or a text: what is to be seen, where it stands, and what came before."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from .change import NOTHING, Change, change, lines
from .dealing import Deal, deal
from .scene import Scene


@dataclass(frozen=True, eq=False)
class Frame:
    """One position on its way to a picture: the scene, where its pieces stand, and what came before it."""

    scene: Scene
    dealt: Deal
    before: Frame | None = field(default=None, repr=False)

    @classmethod
    def after(cls, scene: Scene, before: Frame | None = None) -> Frame:
        """A scene whose pieces keep the places that they had before."""
        return cls(scene, deal(scene, before.dealt if before else None), before)

    @cached_property
    def change(self) -> Change:
        """What is different from the frame before; nothing for the first."""
        if self.before is None:
            return NOTHING
        return change((self.before.scene, self.before.dealt), (self.scene, self.dealt))

    @cached_property
    def change_lines(self) -> list[str]:
        """What is different, in words, a line each, with the marks of all texts: ``+ - > ~``."""
        if self.before is None:
            return []
        return lines(self.change, self.before.scene, self.scene, (self.before.dealt, self.dealt))
