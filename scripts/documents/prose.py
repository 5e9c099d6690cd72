"""Commands that a page's sentences name: that they are there, with these options."""
import functools, itertools, re, subprocess

import blocks


@functools.cache
def help_of(programs, words):
    done = subprocess.run([programs / "martlet", "help", *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


@functools.cache
def commands(programs):
    """The names of all commands: one or two words."""
    return set(re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)  ", help_of(programs, ()), re.MULTILINE))


def check(path, programs):
    """The commands of a page's sentences that do not exist."""
    makefile = (blocks.root / "Makefile").read_text()
    text, wrong = path.read_text(), []
    # Blocks are not sentences; their lines stay, for the numbers.
    text = re.sub(r"^ *```.*?^ *```$", lambda found: "\n" * found.group().count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for span in re.finditer(r"(?<!`)`([^`]+)`(?!`)", text):
        words = span.group(1).split()
        problem = None
        if words[:1] == ["martlet"] and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
            problem = martlet(words[1:], programs)
        elif words[:1] == ["make"] and len(words) > 1:
            missing = [word for word in itertools.takewhile(re.compile(r"[a-z-]+$").match, words[1:]) if not re.search(rf"^{word}:", makefile, re.M)]
            problem = f"the Makefile has no {missing[0]}" if missing else None
        elif words and re.fullmatch(r"scripts/[a-z/-]+", words[0]) and not (blocks.root / words[0]).exists():
            problem = "there is no such file"
        if problem:
            line = text.count("\n", 0, span.start()) + 1
            wrong.append(f"{path.relative_to(blocks.root)}:{line}: {' '.join(words)}: {problem}")
    return wrong


def martlet(words, programs):
    name = " ".join(words[:2]) if " ".join(words[:2]) in commands(programs) else words[0]
    known = help_of(programs, tuple(name.split()))
    if known is None:
        return f"martlet has no command {words[0]}"
    for word in words:
        option = re.match(r"--[a-z-]+", word)
        if option and not re.search(rf"{option.group()}(?![a-z-])", known) and option.group() not in ["--help", "--json", "--quiet"]:
            return f"martlet {name} has no option {option.group()}"
    return None
