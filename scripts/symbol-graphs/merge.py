"""Adds to the symbol graphs of Linux the declarations that only Apple's systems have.

A declaration is the same one on two systems if its path and its text are equal. Its identifier may differ, since Foundation's types
are in another module on Linux, so an identifier of Apple's is replaced by that of Linux. An added symbol has the systems that have
it as `systems`, which scripts/public-api prints, and as `availability`, which DocC reads.
"""
import json, re

SYSTEMS = {"ios": "iOS", "macabi": "macCatalyst", "macosx": "macOS", "watchos": "watchOS", "xros": "visionOS"}


def key(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return symbol["kind"]["identifier"], *symbol["pathComponents"], " ".join(text.split())


def read(folder, product):
    """The graphs of a product by file name: its own, and those of what it adds to the types of other modules."""
    paths = [folder / f"{product}.symbols.json", *sorted(folder.glob(f"{product}@*.symbols.json"))]
    return {path.name: json.loads(path.read_text()) for path in paths if path.exists()}


def system(target):
    """The name and the oldest release of a target's system: iOS and 16 for arm64-apple-ios16.0."""
    name, major = re.match(r"arm64-apple-([a-z]+)(\d+)", target).groups()
    return SYSTEMS["macabi" if target.endswith("macabi") else name], {"major": int(major), "minor": 0, "patch": 0}


def renamed(value, names):
    """A part of a graph in which identifiers have other names."""
    if isinstance(value, dict):
        return {name: renamed(part, names) for name, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def add(graphs, target, added):
    """Adds to the graphs what those of a target have besides. `added` has the symbols that other targets have added, by key."""
    name, oldest = system(target[0])
    for file, graph in target[1].items():
        mine = graphs.setdefault(file, {**graph, "symbols": [], "relationships": []})
        there = {key(symbol): symbol for symbol in mine["symbols"]}
        names = {symbol["identifier"]["precise"]: there[key(symbol)]["identifier"]["precise"]
                 for symbol in graph["symbols"] if key(symbol) in there}
        new = set()
        for symbol in graph["symbols"]:
            if key(symbol) not in there:
                symbol = renamed(symbol, names)
                symbol |= {"systems": [], "availability": symbol.get("availability", [])}
                mine["symbols"].append(symbol)
                added[file, key(symbol)] = symbol
                new.add(symbol["identifier"]["precise"])
            if symbol := added.get((file, key(symbol))):
                symbol["systems"].append(name)
                if all(entry.get("domain") != name for entry in symbol["availability"]):
                    symbol["availability"].append({"domain": name, "introduced": oldest})
        mine["relationships"] += [relationship for relationship in renamed(graph["relationships"], names)
                                  if relationship["source"] in new]


def write(products, linux, apple, output):
    for product in products:
        graphs, added = read(linux, product), {}
        for target in sorted(folder.name for folder in apple.glob("arm64-*")):
            add(graphs, (target, read(apple / target, product)), added)
        if not graphs:  # Headers, for iOS and what has its classes.
            graphs = read(apple / "objective-c", product)
            for symbol in (symbol for graph in graphs.values() for symbol in graph["symbols"]):
                symbol["systems"] = sorted(SYSTEMS.values())
        (output / product).mkdir(parents=True, exist_ok=True)
        for file, graph in graphs.items():
            for symbol in graph["symbols"]:
                symbol.pop("location", None)  # It has this machine's path.
                symbol.get("docComment", {}).pop("uri", None)
            for part in ["symbols", "relationships"]:
                graph[part].sort(key=lambda value: json.dumps(value, sort_keys=True))
            (output / product / file).write_text(json.dumps(graph, sort_keys=True))
