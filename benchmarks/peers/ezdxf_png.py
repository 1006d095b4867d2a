"""A DXF's model space as PNG by ezdxf's own PyMuPDF back end: `python ezdxf_png.py FILE PNG PPI`."""

import sys

import ezdxf
from ezdxf.addons.drawing import Frontend, RenderContext, layout
from ezdxf.addons.drawing.config import BackgroundPolicy, Configuration
from ezdxf.addons.drawing.pymupdf import PyMuPdfBackend

file, picture, ppi = sys.argv[1], sys.argv[2], int(sys.argv[3])
document = ezdxf.readfile(file)
backend = PyMuPdfBackend()
config = Configuration(background_policy=BackgroundPolicy.WHITE)
Frontend(RenderContext(document), backend, config=config).draw_layout(document.modelspace())
page = layout.Page(420, 297, layout.Units.mm)
with open(picture, "wb") as out:  # noqa: PTH123
    out.write(backend.get_pixmap_bytes(page, fmt="png", dpi=ppi))
