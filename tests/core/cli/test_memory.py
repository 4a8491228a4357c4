"""What a process does with memory that it frees, seen in its page faults."""

import subprocess
import sys

import pytest

COUNT_FAULTS = """
import resource, sys
from core.cli.memory import keep_freed_memory

def touch():
    blocks = [bytearray(b"x" * 2**24) for _ in range(4)]

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

if sys.argv[1] == "keep" and not keep_freed_memory():
    sys.exit(3)
touch()
before = faults()
for _ in range(10):
    touch()
print(faults() - before)
"""


def count_faults(mode: str) -> int:
    command = [sys.executable, "-c", COUNT_FAULTS, mode]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip("this allocator cannot be told")
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_memory_that_is_kept_is_not_faulted_in_again() -> None:
    kept, given_back = count_faults("keep"), count_faults("give back")
    assert kept * 5 < given_back
