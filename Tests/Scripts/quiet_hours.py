"""Writes Tests/Fixtures/campaigns/quiet-hours.json: the nights of quiet hours, by looking at the clock of a zone every minute.

A night begins with the first minute whose clock shows its beginning, and ends with the last one that shows its end. Where clocks
skip one of them, it is the first minute after the change. The clocks are those of Python's zoneinfo over the tzdata of PyPI.
To write it again: pip install tzdata; PYTHONTZPATH= python Tests/Scripts/quiet_hours.py
"""

import datetime
import json
import pathlib
import zoneinfo

FILE = pathlib.Path(__file__).parent.parent / "Fixtures" / "campaigns" / "quiet-hours.json"
MINUTE = datetime.timedelta(minutes=1)
DAY = datetime.timedelta(days=1)
UTC = datetime.timezone.utc


def shown(zone, first, last):
    """What the clock of a zone shows at each minute of UTC, as (wall, moment)."""
    moment = datetime.datetime.combine(first - DAY, datetime.time(), UTC)
    end = datetime.datetime.combine(last + 3 * DAY, datetime.time(), UTC)
    info = zoneinfo.ZoneInfo(zone)
    minutes = []
    while moment < end:
        minutes.append((moment.astimezone(info).replace(tzinfo=None), moment))
        moment += MINUTE
    return minutes


def moments(minutes, wall):
    """The minutes that show a time; the one after a change of the clock that skips it."""
    found = [moment for clock, moment in minutes if clock == wall]
    return found or [next(moment for clock, moment in minutes if clock > wall)]


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def case(zone, first, last, start, end):
    first, last = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    start, end = datetime.time.fromisoformat(start), datetime.time.fromisoformat(end)
    minutes = shown(zone, first, last)
    nights = []
    day = first
    while day <= last:
        begins = moments(minutes, datetime.datetime.combine(day, start))[0]
        ends = moments(minutes, datetime.datetime.combine(day if start < end else day + DAY, end))[-1]
        if begins < ends:
            nights.append([text(begins), text(ends)])
        day += DAY
    return {
        "zone": zone,
        "quiet": {"from": start.strftime("%H:%M"), "to": end.strftime("%H:%M")},
        "nights": nights,
    }


CASES = [
    # Around the days on which clocks are set forward and back, by an hour or half of one, and by a whole day.
    case("Europe/Berlin", "2026-03-27", "2026-03-31", "22:00", "08:00"),
    case("Europe/Berlin", "2026-10-23", "2026-10-27", "22:00", "08:00"),
    case("Europe/Berlin", "2026-03-28", "2026-03-30", "22:00", "02:30"),
    case("Europe/Berlin", "2026-10-24", "2026-10-26", "22:00", "02:30"),
    case("Europe/Berlin", "2026-03-28", "2026-03-30", "02:30", "12:00"),
    case("Europe/Berlin", "2026-10-24", "2026-10-26", "02:30", "12:00"),
    case("Europe/Berlin", "2026-03-28", "2026-03-30", "02:15", "02:45"),
    case("Europe/Berlin", "2026-10-24", "2026-10-26", "02:15", "02:45"),
    case("America/New_York", "2026-03-06", "2026-03-10", "21:00", "09:00"),
    case("America/New_York", "2026-10-30", "2026-11-03", "01:30", "01:29"),
    case("America/St_Johns", "2026-03-06", "2026-03-10", "23:59", "00:01"),
    case("Australia/Lord_Howe", "2026-04-03", "2026-04-07", "20:00", "01:45"),
    case("Australia/Lord_Howe", "2026-10-02", "2026-10-06", "20:00", "02:15"),
    case("Asia/Kathmandu", "2026-01-01", "2026-01-04", "00:00", "06:00"),
    case("Pacific/Apia", "2011-12-27", "2012-01-02", "22:00", "08:00"),
    case("Pacific/Kiritimati", "2026-01-01", "2026-01-03", "22:00", "08:00"),
    case("UTC", "2026-12-30", "2027-01-02", "12:00", "11:59"),
]

FILE.write_text(json.dumps(CASES, indent=1) + "\n")
