"""Strings of STEP files in their own script; staging; references."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.loaders import step_text
from dqgen.loaders.step_text import decode

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
WORDS = {
    "cp1251": ["Винт", "Гайка", "Шайба", "Плата", "кронштейн", "ВАЛ", "пружинная", "Колесо", "Крышка", "Болт"],
    "cp866": ["Винт", "Гайка", "Шайба", "Плата", "кронштейн", "пружинная", "Колесо", "Крышка"],
    "koi8_r": ["Винт", "Гайка", "Шайба", "Плата", "кронштейн", "пружинная", "Колесо", "Крышка"],
    "cp1252": ["Gehäuse", "Größe", "Welle", "Führung", "écrou", "Fixação", "Tornillería", "Ø12", "Bügel"],
    "cp1250": ["wałek", "łożysko", "śruba", "nakrętka", "uchwyt"],
    "cp932": ["歯車", "車軸", "取付板", "左側面", "ボルト"],
    "gb18030": ["螺钉", "垫圈", "轴承座", "电机支架", "底板"],
}


def utf16(text: str) -> bytes:
    return b"\\X2\\" + text.encode("utf-16-be").hex().upper().encode() + b"\\X0\\"


@given(TEXT)
def test_any_text_comes_back_from_x2(text: str) -> None:
    assert decode(utf16(text)) == text


@given(TEXT, TEXT)
def test_any_text_comes_back_from_x4_beside_plain_text(text: str, after: str) -> None:
    raw = b"\\X4\\" + text.encode("utf-32-be").hex().encode() + b"\\X0\\"
    assert decode(raw + utf16(after) + b" M3") == text + after + " M3"


@given(TEXT)
def test_any_text_comes_back_from_raw_utf_8(text: str) -> None:
    raw = text.replace("\\", "\\\\").replace("'", "''").encode()
    assert decode(raw) == text


@given(st.text(st.characters(min_codepoint=0x80, max_codepoint=0xFF)))
def test_latin_1_comes_back_from_x_and_from_s(text: str) -> None:
    assert decode(b"".join(b"\\X\\%02X" % ord(char) for char in text)) == text
    shifted = b"".join(b"\\S\\" + bytes([ord(char) & 0x7F]) for char in text)
    assert decode(shifted) == text


@given(st.text(st.sampled_from("абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖ")))
def test_p_chooses_the_alphabet_of_s(text: str) -> None:
    shifted = b"".join(b"\\S\\" + bytes([char.encode("iso8859_5")[0] & 0x7F]) for char in text)
    assert decode(b"\\PE\\" + shifted) == text


def test_quotes_backslashes_and_line_breaks() -> None:
    assert decode(rb"a''b\\c\N\d") == "a'b\\c\nd"


@pytest.mark.parametrize(("page", "word"), [(page, word) for page, words in WORDS.items() for word in words])
def test_a_word_is_read_in_the_page_of_its_company(page: str, word: str) -> None:
    # One word can be spelt alike in two pages: the other words of its file vote too.
    company = [other.encode(page) for other in WORDS[page]]
    assert decode(word.encode(page), step_text.likely_page(company)) == word


@given(st.sampled_from(sorted(WORDS)).flatmap(lambda page: st.tuples(st.just(page), st.permutations(WORDS[page]))))
def test_names_of_one_code_page_vote_for_it(case: tuple[str, list[str]]) -> None:
    page, words = case
    found = step_text.likely_page(word.encode(page) for word in words)
    assert [decode(word.encode(page), found) for word in words] == words


def test_a_string_may_mix_code_pages() -> None:
    raw = "Шайба DIN 7980 (пружинная)_".encode("cp1251") + "Шайба 3 ГОСТ".encode("cp866")
    assert decode(raw, "cp1251") == "Шайба DIN 7980 (пружинная)_Шайба 3 ГОСТ"


def test_words_that_read_well_in_the_files_page_stay() -> None:
    assert decode("Größe Ø12".encode("cp1252"), "cp1252") == "Größe Ø12"


def file(*statements: bytes) -> bytes:
    body = b"\n".join(statements)
    return b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('X'));\nENDSEC;\nDATA;\n" + body + b"\nENDSEC;\nEND-ISO-10303-21;\n"


def test_a_plain_file_is_read_where_it_lies(tmp_path: Path) -> None:
    source = tmp_path / "part.step"
    data = file(b"#1=PRODUCT('Part','Part','',(#2));")
    source.write_bytes(data)
    staged, texts, missing = step_text.stage(source, data, tmp_path)
    assert (staged, texts.by_token, missing) == (source, (), [])


def test_special_strings_become_tokens_and_come_back(tmp_path: Path) -> None:
    names = ["Винт 'М3'", "C:\\parts", "歯車", "Gehäuse"]
    raw = [
        "Винт ''М3''".encode("cp1251"),
        rb"C:\\parts",
        utf16("歯車"),
        "Gehäuse".encode(),
    ]
    data = file(*(b"#%d=PRODUCT('%s','plain','',(#9)); /* don't stop */" % (i, text) for i, text in enumerate(raw)))
    source = tmp_path / "part.step"
    source.write_bytes(data)
    folder = tmp_path / "staged"
    folder.mkdir()
    staged, texts, _ = step_text.stage(source, data, folder)
    ascii_only = staged.read_bytes().decode("ascii")
    assert "\\" not in ascii_only.replace("/*", "")
    assert ascii_only.count("don't stop") == 4
    products = [line.split("'")[1] for line in ascii_only.splitlines() if "PRODUCT" in line]
    assert [texts.restore(product) for product in products] == names
    assert source.read_bytes() == data


def test_references_are_followed_beside_the_file_and_nowhere_else(tmp_path: Path) -> None:
    outside = tmp_path / "outside.stp"
    outside.write_bytes(file())
    home = tmp_path / "home"
    home.mkdir()
    (home / "child.stp").write_bytes(file(b"#1=DOCUMENT_FILE('grandchild.stp','','',#2,'','');"))
    data = file(
        b"#1=DOCUMENT_FILE('C:\\\\work\\\\child.stp','','',#2,'','');",
        b"#2=DOCUMENT_FILE('','../outside.stp','',#2,'','');",
        b"#3=DOCUMENT_FILE('readme.txt','','',#2,'','');",
    )
    root = home / "root.stp"
    root.write_bytes(data)
    assert step_text.referenced_files(data) == ["child.stp", "outside.stp"]
    folder = tmp_path / "staged"
    folder.mkdir()
    staged, _, missing = step_text.stage(root, data, folder)
    assert sorted(missing) == ["grandchild.stp", "outside.stp"]
    assert staged.name == "root.stp"
    assert {path.name for path in folder.iterdir()} == {"root.stp", "child.stp"}


def test_files_that_refer_to_each_other_end(tmp_path: Path) -> None:
    for name, other in (("a.stp", b"b.stp"), ("b.stp", b"a.stp")):
        (tmp_path / name).write_bytes(file(b"#1=DOCUMENT_FILE('%s','','',#2,'','');" % other))
    folder = tmp_path / "staged"
    folder.mkdir()
    start = tmp_path / "a.stp"
    _, _, missing = step_text.stage(start, start.read_bytes(), folder)
    assert missing == []


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"FILE_SCHEMA (('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));", "AUTOMOTIVE_DESIGN"),
        (b"FILE_SCHEMA(\n(\n'CONFIG_CONTROL_DESIGN'));", "CONFIG_CONTROL_DESIGN"),
        (b"nothing", ""),
    ],
)
def test_schema(head: bytes, name: str) -> None:
    assert step_text.schema(b"ISO-10303-21;\n" + head) == name
