"""PDF sheets: what is on a page and where, pictures of it, and files that are broken or mean harm."""

import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from dqgen.errors import LoadError, RenderError
from dqgen.loaders import pdf, pdf_page
from dqgen.schemas.sheet import Verb
from tests.loaders.mutants import run_mutants

MM = 72 / 25.4


def raw(*objects: bytes) -> bytes:
    """A PDF of these objects, the first its catalogue."""
    data, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return data + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        size,
        table,
        size,
        len(data),
    )


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
ONE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"


def page(box: bytes = b"0 0 500 500", more: bytes = b"") -> bytes:
    font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    return b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R%s%s>>" % (box, font, more)


def drawn(path: Path, ppi: float, clip: pdf.Box | None = None, layers: list[str] | None = None) -> np.ndarray:
    """What `draw_page` gives, without a child."""
    output = path.with_suffix(".npy")
    pdf.paint(str(path), 1, str(output), clip, layers, ppi)
    pixels = np.load(output)
    output.unlink()
    return pixels


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def put(data: bytes, name: str = "sheet.pdf") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return put


def test_a_page_holds_what_was_drawn_where_it_was_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), pagesize=(200 * MM, 100 * MM), invariant=True)
    canvas.setDash([3 * MM, MM])
    canvas.setLineWidth(0.5 * MM)
    canvas.setStrokeColorRGB(1, 0, 0)
    canvas.line(10 * MM, 20 * MM, 60 * MM, 20 * MM)
    canvas.setDash()
    canvas.circle(100 * MM, 50 * MM, 10 * MM, fill=1)
    canvas.setFont("Helvetica", 10 * MM)
    canvas.drawString(20 * MM, 40 * MM, "HE4")
    canvas.save()
    sheet = pdf.read(path).pages[0]
    assert (sheet.width, sheet.height) == pytest.approx((200, 100), abs=1e-3)
    paths = sheet.paths
    assert paths.box[0] == pytest.approx([10, 80, 60, 80], abs=0.01)
    assert paths.width[0] == pytest.approx(0.5, abs=0.01)
    assert paths.dashes(0) == pytest.approx((3, 1), abs=0.01)
    assert tuple(paths.stroke[0]) == (255, 0, 0, 255)
    verbs, _ = paths.path(1)
    assert Counter(verbs.tolist())[Verb.CURVE] == 4
    assert paths.box[1] == pytest.approx([90, 40, 110, 60], abs=0.05)
    assert sheet.texts.text == ("HE4",)
    assert sheet.texts.origin[0] == pytest.approx([20, 60], abs=0.01)
    assert sheet.texts.height[0] == pytest.approx(7.2, abs=0.15)  # capitals of Helvetica: 0.718 of its size


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_pages_are_read_and_drawn_as_they_are_shown(write: Callable[..., Path], turn: int) -> None:
    content = stream(b"10 w 100 100 m 200 100 l S BT /F 20 Tf 300 400 Td (AB) Tj ET")
    path = write(raw(CATALOGUE, ONE, page(b"0 0 400 600", b"/Rotate %d" % turn), content))
    sheet = pdf.read(path).pages[0]
    pixels = drawn(path, 72)
    wide, high = (400, 600) if turn % 180 == 0 else (600, 400)
    assert pixels.shape == (high, wide, 3)
    assert sheet.texts.rotation[0] == pytest.approx({0: 0, 90: -90, 180: 180, 270: 90}[turn]) or turn == 180
    box = sheet.paths.box[0] * MM
    inside = pixels[round(box[1]) : round(box[3]) + 1, round(box[0]) : round(box[2]) + 1]
    assert (inside[2:-2, 2:-2] < 50).all()  # the stroke is black where the table says that it lies
    left, top, right, bottom = (sheet.texts.box[0] * MM).round().astype(int)
    assert (pixels[top:bottom, left:right] < 100).any()


def test_a_cropped_page_is_its_crop(write: Callable[..., Path]) -> None:
    content = stream(b"0 0 m 500 500 l S BT /F 20 Tf 210 310 Td (IN) Tj ET BT /F 20 Tf 10 10 Td (OUT) Tj ET")
    path = write(raw(CATALOGUE, ONE, page(more=b"/CropBox[200 300 400 400]"), content))
    sheet = pdf.read(path).pages[0]
    assert (sheet.width * MM, sheet.height * MM) == pytest.approx((200, 100))
    assert sheet.texts.text == ("IN",)
    assert sheet.texts.origin[0] * MM == pytest.approx([10, 90])
    assert drawn(path, 72).shape == (100, 200, 3)


def test_a_region_is_cut_from_the_whole_page(write: Callable[..., Path]) -> None:
    content = stream(b"BT /F 40 Tf 50 60 Td (Region 12) Tj ET 0 0 m 500 377 l S 3 w 20 20 300 200 re S")
    path = write(raw(CATALOGUE, ONE, page(), content))
    whole = drawn(path, 100)
    part = pdf.draw_page(path, 1, 100, clip=(25.4, 50.8, 101.6, 127.0))
    assert (part == whole[200:500, 100:400]).all()


def layered() -> bytes:
    groups = b"/OCProperties<</OCGs[5 0 R 6 0 R]/D<</Order[5 0 R 6 0 R]/OFF[6 0 R]>>>>"
    marked = b"/OC /A BDC 10 w 0 100 m 500 100 l S EMC /OC /B BDC 10 w 0 400 m 500 400 l S BT /F 9 Tf (HID) Tj ET EMC"
    return raw(
        b"<</Type/Catalog/Pages 2 0 R%s>>" % groups,
        ONE,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Contents 4 0 R/Resources<</Properties<</A 5 0 R/B 6 0 R>>"
        b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        stream(marked),
        b"<</Type/OCG/Name(walls)>>",
        b"<</Type/OCG/Name(pipes)>>",
    )


def test_layers_are_named_hidden_and_switched(write: Callable[..., Path], tmp_path: Path) -> None:
    path = write(layered())
    sheet = pdf.read(path)
    assert [(layer.name, layer.shown) for layer in sheet.layers] == [("walls", True), ("pipes", False)]
    entities = sheet.pages[0].entities
    names = [sheet.layers[row].name for row in entities.layer]
    assert names == ["walls", "pipes", "pipes"]
    assert entities.visible.tolist() == [True, False, False]

    def rows(layers: list[str] | None) -> list[int]:
        dark = (drawn(path, 72, layers=layers) < 100).all(axis=2)
        return [row for row in (100, 400) if dark[row, 250]]

    assert rows(None) == [400]
    assert rows(["pipes"]) == [100]
    assert rows([]) == []
    assert rows(["walls", "pipes"]) == [100, 400]
    vector = tmp_path / "crop.pdf"
    pdf.trace(str(path), 1, str(vector), None, ["walls"])
    with pymupdf.open(vector) as document:
        assert len(document[0].get_cdrawings()) == 1
        assert not document[0].get_text("words")  # the hidden layer is gone, not only hidden


def test_vector_crops_keep_their_text_and_nothing_outside(write: Callable[..., Path], tmp_path: Path) -> None:
    content = stream(b"BT /F 20 Tf 120 120 Td (INSIDE) Tj ET BT /F 20 Tf 400 400 Td (SECRET) Tj ET 0 0 m 500 500 l S")
    info = b"/Metadata 5 0 R"
    path = write(raw(b"<</Type/Catalog/Pages 2 0 R%s>>" % info, ONE, page(), content, stream(b"who")))
    crop = (108 / MM, 288 / MM, 252 / MM, 432 / MM)  # whole pixels at 100 an inch
    for name in ("a.pdf", "b.pdf"):
        pdf.trace(str(path), 1, str(tmp_path / name), crop, None)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    with pymupdf.open(tmp_path / "a.pdf") as document:
        assert document[0].rect.width == pytest.approx(144, abs=0.1)
        assert [word[4] for word in document[0].get_text("words")] == ["INSIDE"]
        everything = b"".join(document.xref_stream(n) or b"" for n in range(1, document.xref_length()))
        assert b"SECRET" not in everything
        assert b"who" not in everything
        picture = document[0].get_pixmap(dpi=100)
        shown = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3)
    painted = drawn(path, 100, crop)
    assert np.abs(shown.astype(int) - painted).mean() < 4
    pdf.write_page(path, 1, tmp_path / "a.svg", crop)
    assert "<svg" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_what_a_file_would_do_is_told_and_left_alone(write: Callable[..., Path], tmp_path: Path) -> None:
    evil = tmp_path / "evil.txt"
    path = write(
        raw(
            b"<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R/Names<</EmbeddedFiles<</Names[(x) 6 0 R]>>>>>>",
            ONE,
            page(),
            stream(b"BT /F 12 Tf 9 9 Td (plan) Tj ET"),
            b"<</S/JavaScript/JS(app.alert\\(1\\))>>",
            b"<</Type/Filespec/F(%s)/EF<</F 7 0 R>>>>" % str(evil).encode(),
            stream(b"evil"),
            b"<</S/Launch/F(/bin/true)>>",
        )
    )
    sheet = pdf.read(path)
    assert sheet.pages[0].texts.text == ("plan",)
    for what in ("scripts", "embedded files", "commands to start programs"):
        assert any(what in warning for warning in sheet.warnings)
    assert sorted(tmp_path.iterdir()) == [path]


SPATIAL = b"<</Type/Annot/Subtype/3D/Rect[0 0 500 500]>>"
BROKEN = {
    "3D PDF": raw(CATALOGUE, ONE, page(more=b"/Annots[5 0 R]"), stream(b""), SPATIAL),
    "damaged": b"%PDF-1.7\nnothing",
    "list of pages": raw(
        CATALOGUE, b"<</Type/Pages/Kids[3 0 R]/Count 4>>", b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 4>>"
    ),
    "no page can be read": raw(CATALOGUE, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "no readable page": raw(CATALOGUE, b"<</Type/Pages/Kids[]/Count 0>>"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_files_are_refused_in_one_line(write: Callable[..., Path], what: str) -> None:
    with pytest.raises(LoadError) as caught:
        pdf.read(write(BROKEN[what]))
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_encrypted_files_are_refused_and_locked_ones_read(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((50, 50), "locked")
        for name, word in (("closed", "a"), ("open", "")):
            document.save(tmp_path / f"{name}.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=word, owner_pw="b")
    with pytest.raises(LoadError, match="encrypted"):
        pdf.read(tmp_path / "closed.pdf")
    assert pdf.read(tmp_path / "open.pdf").pages[0].texts.text == ("locked",)


def test_a_raster_page_is_said_to_be_one(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        sheet = document.new_page(width=400, height=300)
        scan = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 200, 150), False)
        scan.clear_with(200)
        sheet.insert_image(sheet.rect, pixmap=scan)
        document.save(tmp_path / "scan.pdf")
    read = pdf.read(tmp_path / "scan.pdf")
    assert len(read.pages[0].images) == 1
    assert tuple(read.pages[0].images.pixels[0]) == (200, 150)
    assert any("raster page" in warning for warning in read.warnings)


def test_huge_pages_are_bounded(write: Callable[..., Path]) -> None:
    path = write(raw(CATALOGUE, ONE, page(b"0 0 283465 283465"), stream(b"9 w 0 0 m 283465 283465 l S")))
    sheet = pdf.read(path)
    assert sheet.pages[0].width == pytest.approx(1e5, rel=1e-4)
    assert any("100000" in warning for warning in sheet.warnings)
    with pytest.raises(RenderError, match="pixels"):
        drawn(path, 100)
    assert drawn(path, 100, (0, 99_990, 10, 100_000)).shape[:2] == (40, 40)


def test_dense_hatches_are_bounded_and_numbers_beyond_reason_survived(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_page, "MOST_PATHS", 3000)
    dense = zlib.compress(b"0 0 m 500 500 l S\n" * 3200)
    path = write(raw(CATALOGUE, ONE, page(), stream(dense, b"/Filter/FlateDecode")))
    sheet = pdf.read(path)
    assert len(sheet.pages[0].paths) == 3000
    assert any("3200 paths" in warning for warning in sheet.warnings)
    wild = stream(b"nan inf m 1e308 1e308 l S 1e308 0 0 1e308 0 0 cm 1 1 m 5 5 l S")
    assert np.isfinite(pdf.read(write(raw(CATALOGUE, ONE, page(), wild), "w.pdf")).pages[0].paths.box).all()
    loop = stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>")
    body = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>"
    assert pdf.read(write(raw(CATALOGUE, ONE, body, stream(b"/X Do"), loop), "x.pdf")).pages


def test_a_page_that_unpacks_to_far_more_is_refused(write: Callable[..., Path]) -> None:
    packed = zlib.compress(b"0 0 m 9 9 l S\n" * 5_000_000, 9)
    path = write(raw(CATALOGUE, ONE, page(), stream(packed, b"/Filter/FlateDecode")))
    assert path.stat().st_size < 200_000
    with pytest.raises(LoadError, match="64 MB of drawing commands"):
        pdf.read(path)
    with pytest.raises(RenderError, match="64 MB of drawing commands"):
        pdf.draw_page(path, 1, 50)


def pdf_originals() -> list[bytes]:
    """Files with layers, paths, text and annotations, for `tests.loaders.mutants`."""
    content = stream(b"BT /F 20 Tf 120 120 Td (text 12) Tj ET 0 0 m 50 60 l 7 8 9 10 11 12 c S 1 0 0 rg 5 5 60 60 re f")
    return [layered(), raw(CATALOGUE, ONE, page(), content), BROKEN["3D PDF"]]


def test_mutants_are_read_or_refused(tmp_path: Path) -> None:
    outcomes = run_mutants("pdf", range(30), pdf_originals(), tmp_path / "mutants")
    assert sum(outcomes.values()) == 60
    assert outcomes["load done"] > 5
    assert not [outcome for outcome in outcomes if "defect" in outcome]
