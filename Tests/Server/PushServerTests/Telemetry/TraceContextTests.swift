import Testing

@testable import PushServer

@Suite("traceparent")
struct TraceContextTests {
  static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let span = "00f067aa0ba902b7"

  @Test(
    "a valid header is read, also one of a later version",
    arguments: [
      ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false),
      ("00-\(trace)-\(span)-03", true), ("00-\(trace)-\(span)-fe", false),
      ("01-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-what-comes-later", true),
    ])
  func valid(text: String, isSampled: Bool) throws {
    let context = try #require(TraceContext(traceparent: text))
    #expect(context.traceID == Self.trace && context.spanID == Self.span)
    #expect(context.isSampled == isSampled)
    #expect(context.traceparent == "00-\(Self.trace)-\(Self.span)-0\(isSampled ? 1 : 0)")
  }

  @Test(
    "an invalid header is as none",
    arguments: [
      "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-more",
      "00-\(trace)-\(span)-01x", "cc-\(trace)-\(span)-01x", "ff-\(trace)-\(span)-01",
      "00-\(trace.uppercased())-\(span)-01", "0x-\(trace)-\(span)-01", "00-\(trace)-\(span)-0g",
      "00-\(String(repeating: "0", count: 32))-\(span)-01",
      "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00_\(trace)-\(span)-01",
      "00-\(trace)é-\(span)-01", String(repeating: "-", count: 100_000),
    ])
  func invalid(text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }
}
