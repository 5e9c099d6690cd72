"""Runs the commands of one page in one shell, on a machine of their own. check starts it with its work on standard input, and
reads a line of JSON for each command."""
import json, os, pathlib, re, select, subprocess, sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import machine  # noqa: E402

# A shell that reads the names of files with commands from descriptor 8, and writes their exit statuses to 9.
SHELL = r"""
set -o pipefail
while IFS= read -r -u 8 documents_job; do
  case $documents_job in
    serves\ *)
      documents_job=${documents_job#serves }
      eval "exec $(<"$documents_job")" >"$documents_job.output" 2>&1 8<&- 9>&- &
      until grep -q 'listening on' "$documents_job.output" || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
      kill $! 2>/dev/null
      wait $!
      ;;
    *) eval "$(<"$documents_job")" >"$documents_job.output" 2>&1 8<&- 9>&- ;;
  esac
  echo $? >&9
done
"""


def differs(shown, actual):
    """Whether an output is not as the page shows it, where … stands for anything, and a line of it for any lines."""
    lines = [r"(?:.*\n)*" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n" for line in shown]
    return not re.fullmatch("".join(lines), actual)


def problem(page, job, status, output):
    """What is wrong with a command that ran; `None` if nothing is."""
    place, text = f"{page}:{job['line']}", ("its preparation: " if job["prepares"] else "") + job["text"]
    if job["output"] is not None:
        if not differs(job["output"], output):
            return None
        return f"{place}: {text}\n  the page shows:\n" + indent("\n".join(job["output"])) + "  and the command prints:\n" + indent(output)
    if status == job["status"]:
        return None
    reason = f"exit status {status}" if status is not None else f"not ended after {job['limit']} s"
    return f"{place}: {text}\n  {reason}, and prints:\n" + indent(output)


def indent(text):
    return "".join(f"    {line}\n" for line in text.splitlines()[-40:])


def main():
    work = json.load(sys.stdin)
    machine.enter(work["base"], work["programs"], work["repository"])
    names, statuses = os.pipe(), os.pipe()
    os.dup2(names[0], 8)
    os.dup2(statuses[1], 9)
    subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-c", SHELL], stdin=subprocess.DEVNULL, pass_fds=[8, 9], env=machine.environment())
    # So that the end of the shell is the end of its answers.
    os.close(statuses[1])
    os.close(9)
    os.mkdir("/documents/jobs")
    outputs = []
    for number, job in enumerate(work["jobs"]):
        file = pathlib.Path(f"/documents/jobs/{number}")
        file.write_text(job["text"] + "\n")
        os.write(names[1], f"{'serves ' if job['serves'] else ''}{file}\n".encode())
        ready, _, _ = select.select([statuses[0]], [], [], job["limit"])
        answer = os.read(statuses[0], 16).strip() if ready else b""
        status = int(answer) if answer else None
        output = pathlib.Path(f"{file}.output").read_text(errors="replace")
        found = problem(work["page"], job, status, output)
        outputs += [] if job["prepares"] else [output]
        if "block_output" in job and not found:
            whole = "".join(outputs[-job["block_length"] :])
            found = problem(work["page"], job | {"output": job["block_output"]}, status, whole)
        print(json.dumps({"counts": 0 if job["prepares"] else 1, "wrong": found}), flush=True)
        # Commands after a failed preparation, or in a shell that is stuck or gone, would say nothing.
        if status is None or found and job["prepares"]:
            break


main()
