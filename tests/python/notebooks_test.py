"""The notebooks run from their first cell to their last, in a folder of their own, and are kept without outputs.

HEADRACE_PROGRAM is the program, PYTHONPATH holds the package. Where nbclient and ipykernel are installed, a kernel runs the
cells as Jupyter does; elsewhere they are run one after the other in one module.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

NOTEBOOKS = pathlib.Path(sys.argv.pop(1))
WANTED = {
    "size_a_loader.ipynb": ["7 workers keep the GPUs fed", "fed GPUs wait 0", "ingest_bound GPUs wait"],
    "sweep_with_bands.ipynb": ["headrace.Sweep", "10 workers", "10 to 90 % of the inputs"],
}

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    nbclient = None


def by_kernel(file):
    """What the cells print, with nbclient."""
    book = nbformat.read(file, as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}).execute()
    told = []
    for cell in book.cells:
        for output in cell.get("outputs", []):
            told.append(output.get("text", "") or output.get("data", {}).get("text/plain", ""))
    return "".join(told)


def by_hand(file):
    """The same without Jupyter: the value of a last expression is shown."""
    space, told = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.chdir(file.parent) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
        for cell in json.loads(file.read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            tree = ast.parse("".join(cell["source"]), str(file))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, str(file), "exec"), space)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), str(file), "eval"), space)
                if value is not None:
                    print(repr(value))
    return told.getvalue()


class Notebooks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for file in NOTEBOOKS.iterdir():
            shutil.copy(file, self.folder / file.name)

    def test_all_are_known(self):
        self.assertEqual(sorted(WANTED), sorted(file.name for file in NOTEBOOKS.glob("*.ipynb")))

    def test_they_are_kept_without_outputs(self):
        for file in NOTEBOOKS.glob("*.ipynb"):
            for cell in json.loads(file.read_text())["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), file.name)

    def test_they_run(self):
        run = by_hand if nbclient is None else by_kernel
        print("cells are run by", "plain Python (no nbclient with ipykernel)" if nbclient is None else "a kernel of Jupyter")
        for name, words in WANTED.items():
            with self.subTest(name):
                told = run(self.folder / name)
                for word in words:
                    self.assertIn(word, told)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["PATH"] = os.path.dirname(os.environ["HEADRACE_PROGRAM"]) + os.pathsep + os.environ["PATH"]
    # Jupyter keeps what it knows in the home folder, which is nobody's here.
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, IPYTHONDIR=home, JUPYTER_CONFIG_DIR=home, JUPYTER_RUNTIME_DIR=home, JUPYTER_DATA_DIR=home)
        unittest.main(verbosity=1)
