#!/usr/bin/env python3
"""Pages that answer, in headless Chromium: of each shipped scenario the page is below 4 MB, asks for nothing outside of it,
and answers with the numbers of `headrace bound --json` to the bit, as it opens and with a slider moved.
Usage: live_pages_test.py PROGRAM [SCENARIO...]; exit 77: no Chromium, or a program without --live."""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MOST_BYTES = 4_000_000


def fail_to_start(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def answer_of(browser, folder, page, fragment=""):
    """What the page says after it ran, and what it complained of."""
    shown = run(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                "--virtual-time-budget=20000", "--enable-logging=stderr", "--log-level=0", "--dump-dom",
                f"file://{page}{fragment}")
    complaints = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
    found = re.search(r'data-answer="([^"]*)"', shown.stdout)
    return (json.loads(html.unescape(found.group(1))) if found else None), complaints


def differences(answer, outcome):
    if answer is None or "metrics" not in answer:
        return [f"no answer: {answer}"]
    wrong = [f"{name}: {answer['metrics'].get(name, {}).get('mean')} for {metric['mean']}"
             for name, metric in outcome["metrics"].items()
             if answer["metrics"].get(name, {}).get("mean") != metric["mean"]]
    for station, other in zip(answer["stations"], outcome["stations"], strict=True):
        if station["utilization"] != other["utilization"]:
            wrong.append(f"utilization of {station['name']}")
    if answer["scenario_sha256"] != outcome["scenario_sha256"]:
        wrong.append("another scenario")
    return wrong


def moved(page):
    """A slider of the page that stands elsewhere: pointer and value."""
    data = json.loads(re.search(r'id="live-data">(.*?)</script>', page, re.S).group(1).replace("<\\/", "</"))
    slider = data["sliders"][0]
    return slider["pointer"], slider["values"][0 if slider["now"] > 0 else -1]


def look_at(program, browser, folder, name):
    page = f"{folder}/page.html"
    plain = run(program, "bound", name, "--json")
    if not plain.stdout:
        return None  # a part of a scenario
    made = run(program, "bound", name, "--report", page, "--live")
    if made.returncode not in (0, 1, 3):
        return [made.stderr.strip()]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    wrong = [f"{os.path.getsize(page)} bytes"] if os.path.getsize(page) >= MOST_BYTES else []
    if 'id="live-data"' not in text:
        return wrong + ["no sliders"]
    answer, complaints = answer_of(browser, folder, page)
    wrong += complaints + differences(answer, json.loads(plain.stdout))
    pointer, value = moved(text)
    other = run(program, "bound", name, "--set", f"{pointer}={value}", "--json")
    answer, complaints = answer_of(browser, folder, page, "#set=" + f"{pointer}={value}".replace(" ", "%20"))
    wrong += complaints
    if other.stdout:
        wrong += [f"with {pointer}={value}: {each}" for each in differences(answer, json.loads(other.stdout))]
    elif not answer or "error" not in answer:
        wrong.append(f"with {pointer}={value}: not refused")
    return wrong


def shipped():
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "scenarios", "shipped")
    return sorted(name.removesuffix(".json") for name in os.listdir(folder) if name.endswith(".json"))


def main():
    program = os.path.abspath(sys.argv[1])
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        fail_to_start("no Chromium")
    with tempfile.TemporaryDirectory() as folder:
        if "makes no pages that answer" in run(program, "bound", "image-node", "--report", f"{folder}/a.html", "--live").stderr:
            fail_to_start("a build without pages that answer (HEADRACE_LIVE_PAGE)")
        names = sys.argv[2:] or shipped()
        looked = failed = 0
        for name in names:
            wrong = look_at(program, browser, folder, name)
            if wrong is None:
                continue
            looked += 1
            if wrong:
                failed += 1
                print(f"{name}: {'; '.join(wrong[:5])}", flush=True)
    print(f"{looked - failed} passed, {failed} failed")
    return 1 if failed or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
