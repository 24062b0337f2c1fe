#!/usr/bin/env python3
"""Pages that answer, in headless Chromium: of each shipped scenario the page is below 4 MB, asks for nothing outside of it,
and answers with the numbers of `headrace bound --json` to the bit, as it opens and with a slider moved.
Usage: live_pages_test.py PROGRAM [SCENARIO...]; exit 77: no Chromium, or a program without --live."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

MOST_BYTES = 4_000_000


def fail_to_start(why):
    print(f"skipped: {why}")
    sys.exit(77)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


class Browser:
    """Headless Chromium, by its protocol over two pipes: a page is asked until it has answered, however slow the machine."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()

        def as_three_and_four():
            os.dup2(to_read, 60)
            os.dup2(to_write, 61)
            os.dup2(60, 3)
            os.dup2(61, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=as_three_and_four, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.calls = 0
        self.complaints = []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable", {}, self.session)

    def call(self, method, parameters, session=None):
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            told = self.next_message()
            if told.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(told["params"])[:300])
            if told.get("id") == self.calls:
                return told.get("result", {})

    def next_message(self):
        while b"\0" not in self.rest:
            read = os.read(self.back, 1 << 20)
            if not read:
                raise RuntimeError("the browser ended")
            self.rest += read
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def answer_of(self, page, fragment=""):
        """What the page says after it ran, and what it complained of."""
        self.complaints = []
        self.call("Page.navigate", {"url": "about:blank"}, self.session)
        self.call("Page.navigate", {"url": f"file://{page}{fragment}"}, self.session)
        asked = {"expression": "document.getElementById('live')?.dataset.answer ?? ''"}
        end = time.monotonic() + 60
        text = ""
        while not text and time.monotonic() < end:
            text = self.call("Runtime.evaluate", asked, self.session).get("result", {}).get("value", "")
            time.sleep(0.05)
        return (json.loads(text) if text else None), self.complaints

    def close(self):
        self.call("Browser.close", {})
        self.process.wait(timeout=30)


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
    answer, complaints = browser.answer_of(page)
    wrong += complaints + differences(answer, json.loads(plain.stdout))
    pointer, value = moved(text)
    other = run(program, "bound", name, "--set", f"{pointer}={value}", "--json")
    answer, complaints = browser.answer_of(page, "#set=" + f"{pointer}={value}".replace(" ", "%20"))
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
        window = Browser(browser, folder)
        for name in names:
            wrong = look_at(program, window, folder, name)
            if wrong is None:
                continue
            looked += 1
            if wrong:
                failed += 1
                print(f"{name}: {'; '.join(wrong[:5])}", flush=True)
        window.close()
    print(f"{looked - failed} passed, {failed} failed")
    return 1 if failed or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
