"""Puts the pictures of a folder on sheets, to be looked at: by size and colours, with their names.

Usage: picture_sheets.py PICTURES SHEETS.
"""

import pathlib
import sys

from PIL import Image, ImageDraw

pictures, sheets = map(pathlib.Path, sys.argv[1:])
sheets.mkdir(parents=True, exist_ok=True)
# The columns of a sheet, and the width and the height of each picture on it, of which the lower part may be cut off.
SHEETS = {"desktop": (3, 640, 620, 9), "phone": (6, 300, 900, 12)}

for size, (columns, width, height, count) in SHEETS.items():
    for scheme in ["light", "dark"]:
        files = sorted(pictures.glob(f"*-{scheme}-{size}.png"))
        for first in range(0, len(files), count):
            part = files[first : first + count]
            rows = -(-len(part) // columns)
            sheet = Image.new("RGB", (columns * (width + 8), rows * (height + 20)), "white")
            for place, file in enumerate(part):
                picture = Image.open(file).convert("RGB")
                picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
                left, top = place % columns * (width + 8), place // columns * (height + 20)
                ImageDraw.Draw(sheet).text((left, top), file.stem, fill="black")
                sheet.paste(picture.crop((0, 0, width, min(height, picture.height))), (left, top + 14))
            sheet.save(sheets / f"{scheme}-{size}-{first // count + 1}.png")
