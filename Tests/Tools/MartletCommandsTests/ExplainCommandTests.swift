import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet explain without a server", .timeLimit(.minutes(10)))
struct ExplainCommandTests {
  private static let payload = #"{"aps":{"alert":"Rain","mutable-content":1},"_nid":"n"}"#
  private static let picture = "https://cdn.example.com/a.png"

  private func explain(
    _ payload: String, _ arguments: String..., settings: String? = nil, journal: String? = nil
  ) async throws -> (exit: ExitCode, answer: JSONValue) {
    let folder = TemporaryFolder()
    var line =
      ["explain", "--json", try folder.write(payload, to: "payload.json")] + arguments
    if let settings {
      line += ["--settings", try folder.write(settings, to: "settings.json")]
    }
    if let journal { line += ["--journal", try folder.write(journal, to: "journal")] }
    let console = RecordingConsole()
    let exit = await runMartlet(line, console.console)
    return (exit, try JSONValue(parsing: console.output.first ?? "null"))
  }

  @Test("a payload that a phone shows has no cause, and what a server knows is not known")
  func healthy() async throws {
    let (exit, answer) = try await explain(Self.payload)
    #expect(exit == .success && answer["verdict"]?["code"] == "not_known", "\(answer)")
    #expect(answer["steps"]?.array?.first?["code"] == "not_on_server")
  }

  @Test(
    "the payload and the settings decide",
    arguments: [
      (#"{"aps":{"alert":"Rain"}}"#, #"{"lock_screen":false}"#, "lock_screen_off"),
      (#"{"aps":{"alert":"Rain"}}"#, #"{"authorization":"denied"}"#, "no_permission"),
      (#"{"aps":{"badge":1}}"#, nil, "no_alert"), (#"{"aps":{}}"#, nil, "usable_payload"),
      (
        #"{"aps":{"alert":"Rain"},"_martlet":{"media":[{"url":"https://a.example/a.png"}]}}"#, nil,
        "mutable_content"
      ),
      (
        #"{"aps":{"alert":"Rain","interruption-level":"passive"}}"#,
        #"{"authorization":"authorized"}"#, "passive"
      ),
      (#"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#, nil, "PayloadTooLarge"),
    ] as [(String, String?, String)])
  func causes(payload: String, settings: String?, code: String) async throws {
    let (exit, answer) = try await explain(payload, settings: settings)
    #expect(exit == .failure && answer["verdict"]?["code"] == .string(code), "\(answer)")
  }

  @Test("media are judged with an answer for their URL, and not without one")
  func media() async throws {
    let payload = """
      {"aps":{"alert":"Rain","mutable-content":1},"_martlet":{"media":[{"url":"\(Self.picture)"}]}}
      """
    #expect(try await explain(payload).exit == .success)
    let file = Fixtures.url("media/not-an-image.png").path()
    let (exit, answer) = try await explain(payload, "--media", "\(Self.picture)=\(file)")
    #expect(exit == .failure && answer["verdict"]?["code"] == "media_unsupported_type", "\(answer)")
    let good = Fixtures.url("media/picture.png").path()
    let shown = try await explain(payload, "--media", "\(Self.picture)=\(good)")
    #expect(shown.exit == .success && shown.answer["verdict"]?["code"] == "received")
  }

  @Test("a sandbox's journal has APNs' answer to the last push, or to the last one of a token")
  func journal() async throws {
    func line(_ token: String, _ status: Int, _ reason: String) -> String {
      #"{"time":"2026-11-29T08:00:00.000Z","connection":1,"stream":3,"token":"\#(token)","headers":"#
        + #"{"apns-push-type":"alert"},"payload":\#(Self.payload),"status":\#(status),"reason":"\#(reason)"}"#
        + "\n"
    }
    let journal = line("aa", 400, "BadDeviceToken") + line("bb", 200, "")
    let last = try await explain(Self.payload, journal: journal)
    #expect(last.exit == .success, "\(last.answer)")
    let refused = try await explain(Self.payload, "--token", "aa", journal: journal)
    #expect(refused.exit == .failure && refused.answer["verdict"]?["code"] == "BadDeviceToken")
    #expect(
      try await explain(Self.payload, "--token", "cc", journal: journal).exit == .invalidInput)
  }

  @Test(
    "a line that cannot be answered is refused",
    arguments: [
      [], ["--device", "d", "x.json"], ["--server", "http://127.0.0.1:1", "--device", "d"],
      ["--server", "http://127.0.0.1:1", "--device", "d", "--user", "u", "--run", "r"],
      ["--server", "http://127.0.0.1:1", "--device", "d", "--run", "r", "x.json"],
    ])
  func refused(words: [String]) async {
    let console = RecordingConsole(environment: ["MARTLET_API_KEY": "k"])
    #expect(await runMartlet(["explain"] + words, console.console) == .invalidInput)
    #expect(console.errors.first?.hasPrefix("martlet explain: ") == true)
  }
}
