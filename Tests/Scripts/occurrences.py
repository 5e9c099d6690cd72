"""Writes Tests/Fixtures/campaigns/occurrences.json: the days and moments of recurring campaigns, by other people's code.

The days are those of dateutil's recurrence rules (RFC 5545), the moments those of Python's zoneinfo over the tzdata of
PyPI, which takes the first of two equal times (fold=0) and counts a skipped one from before the change (PEP 495).
To write it again: pip install python-dateutil tzdata; PYTHONTZPATH= python Tests/Scripts/occurrences.py
"""

import datetime
import json
import pathlib
import zoneinfo

from dateutil import rrule

FILE = pathlib.Path(__file__).parent.parent / "Fixtures" / "campaigns" / "occurrences.json"
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def days(every, first, last):
    """The days of a rule; a day that a month lacks is the last one of the days before it that the month has."""
    options = {
        "day": lambda: {"freq": rrule.DAILY},
        "week": lambda: {"freq": rrule.WEEKLY, "byweekday": [WEEKDAYS.index(day) for day in every["days"]]},
        "month": lambda: {
            "freq": rrule.MONTHLY,
            "bymonthday": list(range(min(28, every["day"]), every["day"] + 1)),
            "bysetpos": -1,
        },
    }[every["unit"]]()
    start = datetime.datetime.fromisoformat(first)
    return list(rrule.rrule(dtstart=start, until=datetime.datetime.fromisoformat(last), **options))


def case(first, last, zone, time, **every):
    every |= {"time": time, "zone": zone}
    hour, minute = map(int, time.split(":"))
    moments = []
    for day in days(every, first, last):
        wall = day.replace(hour=hour, minute=minute, tzinfo=zoneinfo.ZoneInfo(zone))
        moment = wall.astimezone(datetime.timezone.utc)
        moments.append(day.strftime("%Y-%m-%d ") + moment.strftime("%Y-%m-%dT%H:%M:%S.000Z"))
    return {"when": {"every": every, "from": first, "until": last}, "occurrences": moments}


CASES = [
    # A year around each change of the clocks: times that are skipped, and times that are there twice.
    case("2026-01-01", "2026-12-31", "Europe/Berlin", "02:30", unit="day"),
    case("2026-01-01", "2026-12-31", "America/New_York", "01:30", unit="day"),
    case("2026-03-01", "2026-03-20", "America/New_York", "02:00", unit="day"),
    case("2026-03-20", "2026-04-20", "Australia/Lord_Howe", "01:45", unit="day"),
    case("2026-09-20", "2026-10-20", "Australia/Lord_Howe", "02:15", unit="day"),
    case("2026-01-01", "2026-01-31", "Asia/Kathmandu", "00:00", unit="day"),
    case("2026-01-01", "2027-12-31", "Europe/Berlin", "09:00", unit="week", days=["mon", "thu", "sun"]),
    case("2026-01-01", "2026-12-31", "America/St_Johns", "23:59", unit="week", days=["sat"]),
    case("2026-01-31", "2028-12-31", "Europe/Berlin", "02:30", unit="month", day=31),
    case("2026-01-01", "2028-12-31", "America/New_York", "09:00", unit="month", day=30),
    case("2026-01-01", "2028-12-31", "Asia/Kolkata", "09:00", unit="month", day=29),
    case("2026-01-15", "2028-12-31", "UTC", "00:00", unit="month", day=1),
]

FILE.parent.mkdir(exist_ok=True)
FILE.write_text(json.dumps(CASES, indent=1) + "\n")
