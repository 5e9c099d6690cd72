import Foundation
import NotificationHost
import PushPayload
import TestSupport
import Testing

@Suite("Examples/CommonFaults", .serialized, .timeLimit(.minutes(1)))
struct CommonFaultTests {
  static func deliver(_ fault: String, media: String = "") async throws -> DeliveryReport {
    let program = IsolatedPhone.program?.deletingLastPathComponent().appending(path: "CommonFaults")
    return try await IsolatedPhone().deliver(
      #""fault":"\#(fault)","media":"\#(media)""#, program: program)
  }

  @Test(
    "what crashes the extension shows the original",
    arguments: [
      ("name-taken", ""), ("no-file-name", "https://example.com"), ("force-unwrap", ""),
    ])
  func crashes(fault: String, media: String) async throws {
    let report = try await Self.deliver(fault, media: media)
    #expect(report.outcome == .displayedOriginal && report.content?.body == "B")
    #expect(report.reason.contains("crashed with signal"))
  }

  @Test("a file name in the URL hides the fault")
  func hidden() async throws {
    let report = try await Self.deliver("no-file-name", media: "https://example.com/a.png")
    #expect(report.outcome == .displayed && report.content?.title == "a.png")
  }

  @Test("the second call of the handler has no effect, and is counted")
  func twice() async throws {
    let report = try await Self.deliver("handler-twice")
    #expect(report.run.handlerCalls == 2 && report.content?.title == "T")
  }

  @Test("a best attempt that was never filled loses the body at the warning")
  func bodyLost() async throws {
    let report = try await Self.deliver("body-lost")
    #expect(report.outcome == .displayed && report.run.expired)
    #expect(report.content?.title == "T" && report.content?.body == "")
  }
}
