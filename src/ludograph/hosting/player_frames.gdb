# A backtrace shows the calls of the player; those of the interpreter that calls it are counted.
# 'backtrace -no-filters' shows all of them.
python
import gdb
from gdb.FrameDecorator import FrameDecorator

class Counted(FrameDecorator):
    def __init__(self, frame, count):
        super().__init__(frame)
        self.count = count

    def address(self):
        return None

    def function(self):
        return f"({self.count} calls of the interpreter that calls the player)"

    def filename(self):
        return None

    def line(self):
        return None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None

class PlayersCalls:
    name, priority, enabled = "players-calls", 100, True

    def filter(self, frames):
        frames = iter(frames)
        for frame in frames:
            place = gdb.solib_name(frame.inferior_frame().pc()) or "python"
            if "_cffi_backend" in place or "libffi" in place:
                yield Counted(frame, 1 + sum(1 for _ in frames))
                return
            yield frame

gdb.frame_filters[PlayersCalls.name] = PlayersCalls()
end
