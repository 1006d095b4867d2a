"""Labels of title blocks in English, German, Russian, Slovene, French, Italian and Spanish, and what each stands for."""

import re
import unicodedata

WORDS: dict[str, tuple[str, ...]] = {
    "number": (
        "drawing number", "drawing no", "dwg no", "dwg number", "drg no", "dwg", "document number", "document no", "doc no",
        "part number", "part no", "sheet number", "drawing #", "dwg #", "zeichnungsnummer", "zeichnungs nr",
        "zeichnungsnr", "zeichn nr", "zchngs nr", "sachnummer", "sach nr", "dokumentnummer", "teilenummer", "artikelnummer",
        "artikel nr", "ident nr", "обозначение", "номер чертежа", "номер документа", "шифр", "stevilka risbe", "st risbe",
        "risba st", "oznaka", "stevilka", "stevilka nacrta", "st nacrta", "ident", "numero de plan", "n de plan",
        "numero", "no de plan", "n disegno", "numero disegno", "disegno n", "numero de plano", "plano n", "broj crteza",
        "dwgno", "drawingno", "drawing", "number", "partno", "project drawing number", "plan no", "plan nr", "plannummer",
    ),
    "name": (
        "title", "drawing title", "part name", "description", "name of part", "sheet title", "drawing name", "benennung",
        "titel", "bezeichnung", "zeichnungstitel", "planinhalt", "planbezeichnung", "наименование", "название",
        "наименование изделия", "naziv", "naziv risbe", "ime risbe", "naslov", "naziv dela", "vsebina risbe",
        "vsebina nacrta", "designation", "titre", "denominazione", "titolo", "descrizione", "titulo", "denominacion",
        "part description", "plan title", "component", "item",
    ),
    "project": (
        "project", "project title", "project name", "job", "job name", "projekt", "bauvorhaben", "objekt", "проект", "объект",
        "projet", "progetto", "proyecto", "projektname", "investicija",
    ),
    "project_number": (
        "project number", "project no", "job no", "job number", "projektnummer", "projekt nr", "auftrags nr",
        "auftragsnummer", "kommission", "st projekta", "stevilka projekta", "proj", "proj #", "comm no", "order no",
    ),
    "location": ("location", "site", "address", "ort", "lokacija", "адрес", "site address"),
    "phase": ("phase", "status", "stage", "stadium", "стадия", "faza", "planart", "leistungsphase"),
    "scale": (
        "scale", "masstab", "maszstab", "massstab", "масштаб", "merilo", "mjerilo", "echelle", "scala", "escala", "m", "schaal",
        "skala", "meritko", "scales",
    ),
    "date": (
        "date", "issue date", "datum", "дата", "date drawn", "drawn date", "plot date", "ausgabedatum", "erstelldatum",
        "date of issue", "datum izdelave", "fecha", "data", "issued", "date issued",
    ),
    "material": (
        "material", "werkstoff", "материал", "gradivo", "materiale", "matiere", "materiau", "materijal", "material finish",
        "werkstoff halbzeug", "halbzeug", "mat", "mat l", "matl", "polizdelek",
    ),
    "finish": ("finish", "surface finish", "oberflache", "oberflachenbehandlung", "покрытие", "povrsina", "surface treatment"),
    "sheet": ("sheet", "sheet no", "sheet nr", "blatt", "blatt nr", "лист", "list", "list st", "page", "seite", "foglio", "feuille", "hoja", "folio"),
    "sheets": ("of sheets", "sheets", "blatter", "листов", "listov", "of", "von", "st listov", "anzahl blatter", "total sheets"),
    "size": ("sheet size", "size", "format", "формат", "paper size", "blattformat", "papierformat", "formato"),
    "revision": (
        "revision", "rev", "rev no", "rev nr", "revision no", "revizija", "index", "anderung", "and", "изм", "indeks",
        "issue", "ausgabe", "rev status", "anderungsindex", "version", "sprememba", "revisione", "revision #", "revision letter",
    ),
    "mass": (
        "mass", "weight", "gewicht", "masse", "масса", "masa", "teza", "poids", "peso", "wt", "mass kg", "weight kg",
        "gewicht kg", "masa kg", "teza kg", "masse kg",
    ),
    "drawn_by": (
        "drawn by", "drawn", "drn", "dr by", "gezeichnet", "gez", "erstellt", "erstellt durch", "bearb", "bearbeitet",
        "bearbeiter", "разраб", "разработал", "чертил", "narisal", "risal", "izdelal", "konstruiral", "dessine par", "dessine",
        "disegnato", "dibujado", "created by", "author", "drafted by", "drawn_by", "verfasser", "crtao", "obdelal", "nacrtal",
        "drafter", "izdelovalec", "ersteller",
    ),
    "designed_by": ("designed by", "designed", "designer", "konstruiert", "konstrukteur", "конструктор", "projektiral", "projektant", "entworfen", "dsgn", "engineer", "eng"),
    "checked_by": (
        "checked by", "checked", "chk", "chkd", "chk d", "gepruft", "gepr", "geprueft", "пров", "проверил", "pregledal", "kontroliral",
        "verifie", "controllato", "revisado", "kontrolliert", "kontrolle", "ckd", "reviewed by", "reviewed",
    ),
    "approved_by": (
        "approved by", "approved", "appr", "appd", "app d", "app", "freigegeben", "freigabe", "genehmigt", "genehmigt von", "утв", "утвердил", "odobril",
        "potrdil", "approuve", "approvato", "aprobado", "released", "released by",
    ),
    "standards_by": ("н контр", "нормоконтроль", "norm", "standard", "normgepr", "т контр", "normal kontr"),
    "tolerance": (
        "general tolerance", "general tolerances", "tolerances", "tolerance", "allgemeintoleranz", "allgemeintoleranzen",
        "toleranz", "toleranzen", "tolerance splosne", "splosne tolerance", "tolerirung", "tolerierung",
    ),
    "owner": ("company", "firma", "owner", "legal owner", "gesetzlicher eigentumer", "eigentumer", "podjetje", "client", "kunde", "customer", "narocnik", "bauherr", "заказчик", "auftraggeber", "investitor", "consultant"),
    "projection": ("projection", "projektion", "projektionsmethode", "projekcija"),
    "building_number": ("building number", "building no", "building"),
    "department": ("department", "abteilung", "responsible dept", "verantwortliche abteilung", "dept", "oddelek"),
    "document_type": ("document type", "dokumentenart", "dokumentart", "vrsta dokumenta", "type of document"),
    "replaces": ("replaces", "ersatz fur", "ersatz f", "supersedes", "взам", "nadomesca", "ersetzt durch", "ers f", "ers d", "ursprung", "urspr"),
    "signature": ("sign", "signature", "name", "podpis", "подп", "подпись", "unterschrift", "ime"),
    "litera": ("лит", "литера"),
    "document_index": ("докум", "№ докум", "n докум", "revision №", "№ document"),
}  # fmt: skip

UNSPECIFIC = {
    "m", "of", "von", "and", "norm", "mat", "app", "eng", "item", "drawing", "number", "dwg", "data", "issue", "name", "ime", "list",
    "index", "component", "standard", "status", "stage", "job", "proj", "site", "page", "ident", "oznaka", "building", "company",
    "sign", "consultant", "client", "objekt", "author", "version", "format", "size", "ort", "format", "description",
}  # fmt: skip
"""Words that are labels only inside a title block that others have shown."""


def plain(text: str) -> str:
    """Lower case without accents, full stops, colons and double spaces, as labels are compared."""
    text = text.replace("ß", "ss").replace("№", " no ").lower().replace("ё", "е").replace("й", "\0")
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).replace("\0", "й")
    return " ".join(re.sub(r"[.:;/\\|_'’`,()\[\]–-]+", " ", text).split())


_KEYS = {plain(word): key for key, words in WORDS.items() for word in words}
_LONGEST = max(len(word.split()) for word in _KEYS)


def key_of(text: str) -> str | None:
    """What a label stands for, or None if the whole text is no label."""
    cleaned = plain(text)
    return _KEYS.get(cleaned) or _KEYS.get(cleaned.removesuffix(" no").removesuffix(" nr"))


def is_specific(text: str) -> bool:
    """Whether a label says by itself that it stands in a title block."""
    return plain(text) not in UNSPECIFIC


def split(text: str) -> tuple[str, str, str] | None:
    """Key, label and value of a text that holds both, such as `Scale: 1:10` or `Maßstab 1:10`."""
    head, colon, tail = text.partition(":")
    if colon and tail.strip() and not head[-1:].isdigit() and (key := key_of(head)):
        return key, head.strip(), tail.strip()
    words = text.split()
    for count in range(min(_LONGEST, len(words) - 1), 0, -1):
        head, tail = " ".join(words[:count]), " ".join(words[count:])
        key = key_of(head)
        if key in ("scale", "sheet", "sheets", "revision", "date", "mass", "size") and _fits(key, tail):
            return key, head, tail
    return None


SCALE = re.compile(
    r"^\(?(?:\d+(?:[.,]\d+)?\s*[:/]\s*\d+(?:[.,]\d+)?(?:\s*(?:[;,]|\s)\s*\(?\d+\s*:\s*\d+\)?)*|none|nts|n\.t\.s\.?|not to scale|as (?:noted|shown)|full(?: size)?|half"
    r"|\d+(?:\s?\d/\d+|/\d+)?\"\s*=\s*\d+'\s*-?\s*\d*\"?|\d+\"\s*=\s*\d+')\)?$",
    re.IGNORECASE,
)
DATE = re.compile(
    r"^(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}\.?\s?[A-Za-zä]{3,9}\.?,?\s?\d{2,4}"
    r"|[A-Za-z]{3,9}\.?\s\d{1,2},?\s\d{4}|[A-Za-z]{3,9}\.?\s\d{4}|\d{1,2}[./-]\d{4})$"
)


def _fits(key: str, value: str) -> bool:
    """Whether a value can be what a label without a colon introduces."""
    value = value.strip()
    if key == "scale":
        return bool(SCALE.match(value))
    if key == "date":
        return bool(DATE.match(value))
    if key == "mass":
        return bool(re.match(r"^\d+(?:[.,]\d+)?\s*(?:kg|g|lbs?|t)?$", value))
    if key == "size":
        return bool(re.match(r"^(?:[AА]\s?\d|[A-E]|ANSI\s?[A-E]|ARCH\s?[A-F]\d?)$", value, re.IGNORECASE))
    if key == "revision":
        return bool(re.match(r"^(?:[A-Z]{1,2}\d?|\d{1,3}(?:\.\d+)?)$", value))
    return bool(re.match(r"^[A-Z]{0,2}-?\d{1,4}[A-Za-z]?(?:\s*(?:/|of|von|od|из|de|di)\s*\d{1,4})?$", value))
