from typing import Callable, List, Optional, Tuple

_Progress = Optional[Callable[[float, float, str, int], object]]

class Scenario:
    def set(self, sets: List[str]) -> Scenario: ...
    def title(self) -> str: ...
    def sha256(self) -> str: ...
    def resolved(self) -> str: ...
    def validate(self) -> str: ...
    def bound(self, input_ranges: bool, seed: int, estimate: bool) -> str: ...
    def simulate(
        self,
        seed: int,
        replications: int,
        precision: Optional[float],
        steps: int,
        input_ranges: bool,
        contention: bool,
        relief: bool,
        max_wall_s: float,
        threads: int,
        progress: _Progress,
    ) -> str: ...
    def plan(
        self,
        decisions: List[str],
        input_ranges: bool,
        confidence_fed: Optional[float],
        seed: int,
        max_points: int,
        max_wall_s: float,
        threads: int,
        progress: _Progress,
    ) -> Tuple[str, List[str]]: ...

class Sweep:
    def json(self) -> str: ...
    def csv(self, metrics: List[str]) -> str: ...
    def ndjson(self, metrics: List[str]) -> str: ...

def load(name: str, layers: List[str], sets: List[str]) -> Scenario: ...
def validate(name: str, layers: List[str], sets: List[str]) -> str: ...
def sweep(
    space: str,
    sets: List[str],
    store: str,
    level: str,
    limit: int,
    seed: int,
    replications: int,
    precision: Optional[float],
    steps: int,
    contention: bool,
    threads: int,
    progress: _Progress,
) -> Sweep: ...
def shipped_scenarios() -> List[str]: ...
def version() -> str: ...
def model_version() -> str: ...
