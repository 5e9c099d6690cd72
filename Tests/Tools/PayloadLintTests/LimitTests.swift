import Foundation
@testable import PayloadLint
import PushPayload
import Testing

@Suite("The limits of martlet lint")
struct LimitTests {
  /// A payload of a size in bytes.
  static func payload(_ size: Int) -> String {
    let frame = #"{"aps":{"alert":""}}"#
    return frame.replacing(
      #""""#, with: "\"" + String(repeating: "x", count: size - frame.utf8.count) + "\"")
  }

  @Test(
    "a payload of the size that APNs accepts has no finding, and one more byte is an error",
    arguments: [("alert", 4096), ("background", 4096), ("voip", 5120), (nil, 4096)]
      as [(String?, Int)])
  func size(pushType: String?, limit: Int) {
    for (size, isFine) in [(limit, true), (limit + 1, false)] {
      let payload = Self.payload(size)
      #expect(payload.utf8.count == size)
      let report = LintReport(payload, LintHeaders(pushType: pushType))
      #expect(report.lines.contains("M121 $") != isFine)
    }
  }

  @Test("the size counts without white space, and a file too large with it is a warning")
  func spaces() {
    let payload = Self.payload(4096)
    #expect(!LintReport(payload).lines.contains("M122 $"))
    let spaced = LintReport(payload + "\n")
    #expect(spaced.lines.contains("M122 $") && !spaced.lines.contains("M121 $"))
    // Spaces inside a text, and quotes behind a backslash, count.
    let text = #"{"aps":{"alert":"\"  \\"}}"#
    #expect(
      LintReport(Self.payload(4097).replacing("xxxx", with: #"\" x"#)).lines.contains("M121 $"))
    #expect(LintReport(text).entries.isEmpty)
  }

  @Test("a payload within 5% of the limit is noted")
  func nearlyFull() {
    #expect(!LintReport(Self.payload(4096 - 204)).lines.contains("M123 $"))
    #expect(LintReport(Self.payload(4096 - 203)).lines.contains("M123 $"))
    #expect(!LintReport(Self.payload(4097)).lines.contains("M123 $"))
  }

  @Test("a collapse identifier may have 64 bytes, whatever its characters")
  func collapseID() {
    for (id, isFine) in [
      (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
      (String(repeating: "ü", count: 32), true), (String(repeating: "ü", count: 33), false),
    ] {
      let report = LintReport(#"{"aps":{"alert":"A"}}"#, LintHeaders(collapseID: id))
      #expect(report.entries.isEmpty == isFine)
    }
  }

  @Test("a topic may have 255 bytes")
  func topic() {
    for (count, isFine) in [(0, false), (1, true), (255, true), (256, false)] {
      let headers = LintHeaders(topic: String(repeating: "a", count: count))
      #expect(LintReport(#"{"aps":{"alert":"A"}}"#, headers).entries.isEmpty == isFine)
    }
  }

  @Test("512 levels of nesting are read and 513 are an error, as for JSONValue")
  func depth() throws {
    for (levels, isFine) in [(511, true), (512, false)] {  // and the payload itself
      let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let payload = #"{"aps":{"alert":"A"},"deep":\#(deep)}"#
      #expect(LintReport(payload).lines == (isFine ? [] : ["M106 $"]))
      #expect((try? JSONValue(parsing: payload)) != nil || !isFine)
    }
  }

  @Test("a rule makes no more findings than are reported", arguments: ["M105", "M107", "M108"])
  func many(code: String) throws {
    let element =
      code == "M105" ? #"{"a":1,"a":1}"# : code == "M107" ? "null" : "98765432109876543210"
    let list = Array(repeating: element, count: 1000).joined(separator: ",")
    let subject = LintSubject(Array(#"{"aps":{"alert":"A"},"list":[\#(list)]}"#.utf8), now: nil)
    #expect(try #require(LintRules.rule(code)).check(subject).count == LintReport.maximumPerRule)
  }

  @Test(
    "null is allowed in a Live Activity's state and attributes, where Codable decodes it as nil")
  func activityState() {
    let aps = #""timestamp":1798135200,"event":"update","content-state":{"lap":null}"#
    #expect(LintReport(#"{"aps":{\#(aps)}}"#).lines == [])
    #expect(LintReport(#"{"aps":{\#(aps)},"lap":null}"#).lines == ["M107 $.lap"])
  }

  @Test("a huge file is not parsed, only its size is checked")
  func huge() {
    let huge = String(repeating: "[", count: LintSubject.maximumBytes + 1)
    #expect(LintReport(huge).lines == ["M121 $"])
    #expect(LintReport(String(huge.dropLast())).lines.contains("M106 $"))
  }

  @Test(
    "an expiration in milliseconds or as a duration is found",
    arguments: [
      (0, nil), (1, "M606"), (999_999_999, "M606"), (1_000_000_000, nil), (99_999_999_999, nil),
      (100_000_000_000, "M605"),
    ] as [(Int64, String?)])
  func times(expiration: Int64, code: String?) {
    let headers = LintHeaders(expiration: String(expiration))
    #expect(
      LintReport(#"{"aps":{"alert":"A"}}"#, headers).entries.map(\.rule.code)
        == (code.map { [$0] } ?? []))
  }

  @Test(
    "volume and relevance score are from 0 to 1",
    arguments: [(0, true), (1, true), (-0.01, false), (1.01, false)] as [(Double, Bool)])
  func units(value: Double, isFine: Bool) {
    let json = #"{"aps":{"alert":"A","relevance-score":\#(value)}}"#
    #expect(LintReport(json).lines == (isFine ? [] : ["M422 $.aps.relevance-score"]))
    let sound = #"{"aps":{"alert":"A","sound":{"critical":1,"name":"a.caf","volume":\#(value)}}}"#
    #expect(LintReport(sound).lines.contains("M402 $.aps.sound.volume") != isFine)
  }
}
