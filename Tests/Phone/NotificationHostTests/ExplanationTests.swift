import Foundation
import MediaLoading
import TestSupport
import Testing

@testable import NotificationHost
@testable import NotificationHostTesting

@Suite("What a failed test of a phone attaches", .timeLimit(.minutes(10)))
struct ExplanationTests {
  /// What a run of the tests that fail on purpose has left.
  private struct Run {
    /// The attachments by their names.
    var files: [String: Data] = [:]
    var output: String

    func text(_ name: String) -> String { String(decoding: files[name] ?? Data(), as: UTF8.self) }

    func isPNG(_ name: String) -> Bool {
      files[name]?.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == true
    }
  }

  /// Runs the tests that fail on purpose.
  ///
  /// - Parameters:
  ///   - failure: The value of the variable that lets them fail; `nil` lets them pass.
  ///   - filter: The tests.
  private func run(_ failure: String?, _ filter: String = "FailingPhoneTests") async throws -> Run {
    let folder = TemporaryFolder()
    let variable = failure.map { ["\(FailingPhoneTests.variable)=\($0)"] } ?? []
    let process = await runProgram(
      "/usr/bin/env",
      variable + [
        "sh", "-c", #"exec "$@" 2>&1"#, "sh", CommandLine.arguments[0],
        "--testing-library", "swift-testing", "--filter", filter,
        "--attachments-path", folder.url.path,
      ])
    #expect(process.status == (failure == nil ? 0 : 1), "\(process.output)")
    var run = Run(output: process.output)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      run.files[name] = try Data(contentsOf: folder.file(name))
    }
    return run
  }

  @Test("each push has its payload, trace, card, requests and files, after failures of any kind")
  func failures() async throws {
    let run = try await run("expectations")
    func names(_ prefix: String, _ names: String...) -> [String] { names.map { "\(prefix)-\($0)" } }
    let (payload, trace, requests) = ("payload.json", "trace.txt", "requests.txt")
    let expected =
      names("expectsReport-1", payload, trace, "card.png", requests, "attachment-1.png")
      + names("expectsPlainly-1-push-1", payload, trace, "card.png", requests)
      + names("expectsPlainly-1-push-2", payload, trace, "card.png", requests, "attachment-1.png")
      + names("expectsPlainly-1", "timeline.txt")
      + names("throwsError-1", payload, trace, "card.txt", requests, "timeline.txt")
      + names("hangs-1", payload, trace, "card.txt", requests, "timeline.txt")
      + ["pushesTen-1-timeline.txt", "pushesEleven-1-timeline.txt"]
      + (1...10).flatMap {
        names("pushesTen-1-push-\($0)", payload, trace, "card.txt", requests)
      }
      + (2...11).flatMap {
        names("pushesEleven-1-push-\($0)", payload, trace, "card.txt", requests)
      }
    #expect(run.files.keys.sorted() == expected.sorted(), "\(run.output)")
    #expect(
      run.text("expectsReport-1-payload.json") == """
        {
          "aps": {
            "alert": "Hello",
            "mutable-content": 1
          },
          "image_url": "https://cdn.example/a.png"
        }

        """)
    for name in ["expectsReport-1", "expectsPlainly-1-push-2"] {
      #expect(run.text("\(name)-trace.txt").hasPrefix("displayed: the extension's content is"))
      #expect(run.isPNG("\(name)-card.png"), "\(run.output)")
      #expect(run.text("\(name)-requests.txt").contains("GET https://cdn.example/a.png\n"))
      #expect(run.text("\(name)-requests.txt").contains("  < cache-control: no-store\n"))
      #expect(run.isPNG("\(name)-attachment-1.png"))
    }
    #expect(run.text("expectsPlainly-1-push-1-payload.json").contains("First"))
    #expect(run.text("throwsError-1-card.txt").contains("the push is dropped"))
    #expect(run.text("hangs-1-trace.txt").hasPrefix("unfinished: "))
    #expect(run.text("hangs-1-card.txt").contains("still on its way"))
  }

  @Test("a test that is canceled says which work is open")
  func open() async throws {
    let run = try await run("expectations", "FailingPhoneTests/hangs")
    let heading = "The test was canceled while this was open, at the time of the phone's clock:"
    let lines = [
      "push 1  still open: the extension runs since ",
      "push 1  still open: GET https://cdn.example/a.png since ",
    ]
    for line in [heading] + lines { #expect(run.output.contains(line), "\(run.output)") }
    for line in lines { #expect(run.text("hangs-1-timeline.txt").contains(line)) }
  }

  @Test(
    "a test that hangs until its time limit says so too",
    .enabled(if: Tier.isWhole, "`make verify` waits for the minute"))
  func limit() async throws {
    let run = try await run("limit", "FailingPhoneTests/hangs")
    #expect(run.output.contains("Time limit was exceeded: 60"), "\(run.output)")
    #expect(run.output.contains("still open: GET https://cdn.example/a.png since "))
    #expect(run.files["hangs-1-payload.json"] != nil)
  }

  @Test("tests that pass have no attachments, also with issues that are known")
  func passing() async throws {
    let run = try await run(nil)
    #expect(run.files.isEmpty, "\(run.output)")
  }

  @Test(
    "a card that cannot be drawn is the reason as a text",
    arguments: [
      (nil, "no program that draws is on PATH"), (["/nowhere/martlet-card"], "did not draw it: "),
      (["/bin/false"], "/bin/false did not draw it: the process that draws pictures ended"),
    ] as [([String]?, String)])
  func noCard(program: [String]?, reason: String) async throws {
    let report = try await ExpectationTests.report()
    let card = CardFile(report, appGroup: nil, program: program)
    #expect(card.name == "card.txt")
    let text = String(decoding: card.bytes, as: UTF8.self)
    #expect(text.hasPrefix("There is no card: ") && text.contains(reason), "\(text)")
  }

  @Test(
    "the body of a request is written if it is a text of at most 4096 bytes",
    arguments: [
      (Data(repeating: 0x61, count: 4096), String(repeating: "a", count: 4096)),
      (Data(repeating: 0x61, count: 4097), "a body of 4097 bytes"),
      (Data([0xFF, 0x00]), "a body of 2 bytes"),
    ])
  func bodies(body: Data, text: String) throws {
    let url = try #require(URL(string: FailingPhoneTests.url))
    var media = MediaRequest(url: url, headers: ["Accept": "image/*"])
    (media.method, media.body) = ("POST", body)
    var request = ExtensionRequest(media, sent: .milliseconds(20))
    let sent = "0.020 s  POST https://cdn.example/a.png\n  > Accept: image/*\n  > \(text)\n"
    #expect(request.text == sent + "not ended, after 0 bytes")
    request.status = 200
    request.responseHeaders = ["content-type": "image/png"]
    (request.receivedBytes, request.answered, request.ended) = (7, .seconds(1), .seconds(2))
    let answer = "1.000 s  200\n  < content-type: image/png\n"
    #expect(request.text == sent + answer + "2.000 s  ended after 7 bytes")
    request.error = "the connection was reset"
    #expect(
      request.text == sent + answer + "2.000 s  failed after 7 bytes: the connection was reset")
  }

  @Test(
    "names of files are those of test functions without what paths cannot have",
    arguments: [
      ("picture(answer:types:)", "picture"), ("a_1()", "a_1"),
      ("a picture/of: ü()", "a-picture-of--ü"),
      ("", "test"), ("()", "test"),
      (String(repeating: "a", count: 60), String(repeating: "a", count: 60)),
      (String(repeating: "b", count: 61), String(repeating: "b", count: 60)),
    ])
  func names(function: String, name: String) { #expect(AttachmentName.name(of: function) == name) }
}
