"""Replicates in a process of their own, which a time limit ends even inside compiled code.

Python's signal handlers wait until compiled code returns, so that an algorithm that never stops would never hear of a limit. The system's
limit on CPU seconds asks nobody: it ends the process, the replicate at hand counts as failed, and a new process goes on with the next one.
A process that ends in any other way (a kill, a machine without memory) says nothing of its replicate: the job fails, to be run again.
"""

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, NoReturn

SIZE = 8  # bytes that say how long the answer behind them is


def guarded(replicates: Sequence[int], play: Callable[[int], bytes], limit: int) -> Iterator[tuple[int, bytes | None]]:
    """Each replicate with what `play` returned for it, or with None when it took more than `limit` CPU seconds.

    Raises ChildProcessError when the process ends otherwise; what it printed says why.
    """
    waiting = list(replicates)
    while waiting:
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        worker = os.fork()
        if worker == 0:
            os.close(reader)
            _work(waiting, play, limit, writer)
        os.close(writer)
        try:
            with os.fdopen(reader, "rb") as pipe:
                while waiting and (answer := _answer(pipe)) is not None:
                    yield waiting.pop(0), answer
        except BaseException:
            os.kill(worker, signal.SIGKILL)
            raise
        finally:
            code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        if code == -signal.SIGXCPU and waiting:
            yield waiting.pop(0), None
        elif code != 0:
            how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
            raise ChildProcessError(f"the process that simulates {how} at replicate {(waiting or replicates)[0]}; nothing was written")


def _answer(pipe: BinaryIO) -> bytes | None:
    """The next whole answer; None when the process is at its end."""
    head = pipe.read(SIZE)
    body = pipe.read(int.from_bytes(head))
    return body if len(head) == SIZE and len(body) == int.from_bytes(head) else None


def _work(replicates: Sequence[int], play: Callable[[int], bytes], limit: int, writer: int) -> NoReturn:
    """What the process does; it never returns into its parent's program."""
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # what the limit ends leaves no image of its memory
        hardest = resource.getrlimit(resource.RLIMIT_CPU)[1]
        with os.fdopen(writer, "wb") as pipe:
            for replicate in replicates:
                soft = int(time.process_time()) + 1 + limit
                resource.setrlimit(resource.RLIMIT_CPU, (soft if hardest == resource.RLIM_INFINITY else min(soft, hardest), hardest))
                answer = play(replicate)
                pipe.write(len(answer).to_bytes(SIZE) + answer)
                pipe.flush()
        code = 0
    except (KeyboardInterrupt, SystemExit, BrokenPipeError):
        pass  # somebody ended the whole job: its main process has the last word
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
