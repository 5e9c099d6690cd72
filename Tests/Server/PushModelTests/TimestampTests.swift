import PushModel
import Testing

struct TimestampTests {
  @Test(
    "ISO 8601 is read in every form the API takes, and written in one",
    arguments: [
      ("1970-01-01", "1970-01-01T00:00:00.000Z", 0),
      ("2015-07-25", "2015-07-25T00:00:00.000Z", 1_437_782_400_000),
      ("2000-02-29T12:30:00Z", "2000-02-29T12:30:00.000Z", 951_827_400_000),
      ("2026-11-21T02:15:29.5Z", "2026-11-21T02:15:29.500Z", 1_795_227_329_500),
      ("2026-11-21T02:15:29.123456+01:00", "2026-11-21T01:15:29.123Z", 1_795_223_729_123),
      ("2026-11-21T02:15-0530", "2026-11-21T07:45:00.000Z", 1_795_247_100_000),
      ("2015-01-01T10:00:00", "2015-01-01T10:00:00.000Z", 1_420_106_400_000),
      ("2026-11-21t02:15:29,5z", "2026-11-21T02:15:29.500Z", 1_795_227_329_500),
      ("2026-11-21 02:15:29.0000019+0000", "2026-11-21T02:15:29.000Z", 1_795_227_329_000),
      ("2026-11-21T02:15:60Z", "2026-11-21T02:16:00.000Z", 1_795_227_360_000),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z", -1),
      ("0001-01-01", "0001-01-01T00:00:00.000Z", -62_135_596_800_000),
    ])
  func reading(text: String, written: String, milliseconds: Int64) {
    let time = Timestamp(iso8601: text)
    #expect(time?.milliseconds == milliseconds)
    #expect(time?.iso8601 == written)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "yesterday", "2015-13-01", "2015-02-29", "2015-00-10", "2015-01-32", "2015-01-01T25:00Z",
      "2015-01-01T10:61Z", "15-01-01", "2015-01-01T10:00:00+99:00",
      "2015-01-01Z", "2015-01-01T10:00:00.Z",
      "2015-01-01T10:00+", "2015-01-01T10:00:00Z ", "2015-01-01T10Z", "2015-01-01T10:00:61Z",
      "٢٠١٥-٠١-٠١", "+015-01-01",
      "2015-01-01T10:00:00+01:0", "2015-1-01",
    ])
  func refusing(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test("moments at the ends of the range add up without an overflow")
  func ends() {
    let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
    #expect(last + .milliseconds(1) == last && first + .milliseconds(-1) == first)
    #expect(last + .milliseconds(-1) < last && first + .milliseconds(1) > first)
    #expect(last.since(first) > .zero && first.since(last) < .zero)
    #expect(last.since(last) == .zero)
  }
}
