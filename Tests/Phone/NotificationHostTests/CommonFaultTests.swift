import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing

/// One test for each row of `Examples/README.md`, in its words.
@Suite("Examples/CommonFaults", .serialized, .timeLimit(.minutes(10)))
struct CommonFaultTests {
  static func deliver(_ fault: String, media: String = "") async throws -> DeliveryReport {
    let program = IsolatedPhone.program?.deletingLastPathComponent().appending(path: "CommonFaults")
    return try await IsolatedPhone().deliver(
      #""fault":"\#(fault)","media":"\#(media)""#, program: program)
  }

  private static func expectCrash(_ report: DeliveryReport) {
    #expect(report.outcome == .displayedOriginal && report.content?.body == "B", "\(report)")
    #expect(report.names(.crashed) && report.reason.contains("crashed with signal"), "\(report)")
    #expect(report.run.handlerCalls == 0 && !report.run.expired, "\(report)")
  }

  @Test("name-taken: try! on an existing file crashes, and the original is shown")
  func nameTaken() async throws { Self.expectCrash(try await Self.deliver("name-taken")) }

  @Test("no-file-name: a URL without a file name crashes, and the original is shown")
  func noFileName() async throws {
    Self.expectCrash(try await Self.deliver("no-file-name", media: "https://example.com"))
  }

  @Test("no-file-name: a URL that has one hides the fault")
  func hidden() async throws {
    let report = try await Self.deliver("no-file-name", media: "https://example.com/a.png")
    #expect(report.outcome == .displayed && report.content?.title == "a.png")
  }

  @Test("force-unwrap: an attachment unwrapped by force crashes, and the original is shown")
  func forceUnwrap() async throws { Self.expectCrash(try await Self.deliver("force-unwrap")) }

  @Test("handler-twice: the second call has no effect, and is counted")
  func handlerTwice() async throws {
    let report = try await Self.deliver("handler-twice")
    #expect(report.run.handlerCalls == 2 && report.content?.title == "T")
    #expect(report.trace.contains { $0.message.contains("again") }, "\(report)")
  }

  @Test("body-lost: a best attempt that is filled too late loses the body at the warning")
  func bodyLost() async throws {
    let report = try await Self.deliver("body-lost")
    #expect(report.outcome == .displayed && report.run.expired)
    #expect(report.content?.title == "T" && report.content?.body == "")
  }

  @Test(
    "RichNotificationService has none of them",
    arguments: [
      // A URL without a file name, an existing file, a page that is not an image, a stalled download.
      (#""_mediaUrl":"https://example.com""#, 1),
      (
        #""_martlet":{"media":[{"url":"https://a/image.png"},{"url":"https://b/image.png"}]}"#, 2
      ),
      (#""_mediaUrl":"https://a/page""#, 0), (#""_mediaUrl":"https://a/stalls""#, 0),
    ])
  func none(keys: String, attachments: Int) async throws {
    let picture = ScriptedNetwork.Response.fixture("picture.png")
    let report = try await IsolatedPhone().deliver(
      keys,
      answers: [
        "https://example.com": picture, "https://a/image.png": picture,
        "https://b/image.png": picture, "https://a/page": .init(body: .bytes(Array("<html>".utf8))),
        "https://a/stalls": picture.with { $0.stallsAfter = 10 },
      ])
    #expect(report.outcome == .displayed && report.run.handlerCalls == 1, "\(report)")
    #expect(report.content?.body == "B" && report.attachments.count == attachments, "\(report)")
  }

  @Test("the table has exactly the faults of the program")
  func table() throws {
    let examples = Repository.url("Examples")
    let table = try String(contentsOf: examples.appending(path: "README.md"), encoding: .utf8)
    let source = try String(
      contentsOf: examples.appending(path: "CommonFaults/CommonFaults.swift"), encoding: .utf8)
    let rows = table.matches(of: /\| `([a-z-]+)` \|/).map { String($0.1) }
    let cases = source.matches(of: /case "([a-z-]+)"/).map { String($0.1) }
    #expect(rows.sorted() == cases.sorted() && rows.count == 5)
  }
}
