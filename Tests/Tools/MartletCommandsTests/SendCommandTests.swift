import Foundation
import MartletCommands
import PushPayload
import Synchronization
import Testing
import _OpenSSLCrypto

@Suite("martlet send and apns-sandbox", .timeLimit(.minutes(10)))
struct SendCommandTests {
  let place = try? Place()

  @Test("a payload goes to every token, and each answer is one JSON line")
  func send() async throws {
    let place = try #require(place)
    try place.write(#"{"foreign":["0c0d"]}"#, "tokens.json")
    let sandbox = try await RunningSandbox.start(place, ["--tokens", place.path("tokens.json")])
    let result = await place.send(
      sandbox, ["--token", "0A0B", "--token", "0c0d", "--json"], payload: #"{"aps":{"alert":"Hi"}}"#
    )
    #expect(result.code == .failure)
    try #require(result.output.count == 2)
    let good = try JSONValue(parsing: result.output[0])
    #expect(
      Set(good.object.map { Array($0.keys) } ?? [])
        == ["token", "outcome", "status", "reason", "apns_id", "timestamp"])
    #expect(good["token"] == "0a0b")
    #expect(good["outcome"] == "answered")
    #expect(good["status"] == 200)
    #expect(good["reason"] == .null)
    let bad = try JSONValue(parsing: result.output[1])
    #expect(bad["status"] == 400)
    #expect(bad["reason"] == "BadDeviceToken")
    let journal = try String(contentsOfFile: place.path("journal.jsonl"), encoding: .utf8)
    #expect(journal.split(separator: "\n").count == 2)
    #expect(!journal.contains("authorization"))
    #expect(await sandbox.stop() == .success)
  }

  @Test("headers follow the options, and the topic the push type")
  func headers() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    let id = "0B1F3C5E-0000-4000-8000-00000000000A"
    let result = await place.send(
      sandbox,
      [
        "--token", "0a0b", "--push-type", "voip", "--priority", "10", "--collapse-id", "score",
        "--expiration", "0", "--id", id,
      ])
    #expect(result.code == .success)
    #expect(result.output == ["0a0b  200 accepted  \(id.lowercased())"])
    let line = try JSONValue(
      parsing: String(contentsOfFile: place.path("journal.jsonl"), encoding: .utf8))
    #expect(line["headers"]?["apns-topic"] == "com.example.app.voip")
    #expect(line["headers"]?["apns-priority"] == "10")
    #expect(line["headers"]?["apns-collapse-id"] == "score")
    #expect(line["headers"]?["apns-expiration"] == "0")
    #expect(line["headers"]?["apns-id"] == .string(id.lowercased()))
    #expect(await sandbox.stop() == .success)
  }

  @Test("where no server listens the outcome is never-sent, and the exit code 1")
  func nothingListens() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    #expect(await sandbox.stop() == .success)
    let result = await place.send(sandbox, ["--token", "0a0b", "--json"])
    #expect(result.code == .failure)
    #expect(try JSONValue(parsing: #require(result.output.first))["outcome"] == "never-sent")
    #expect(result.errors.first?.contains("cannot connect to 127.0.0.1") == true)
  }

  @Test("a key that cannot be read is one line that names the file")
  func badKey() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    try place.write("nonsense", "key.p8")
    let unreadable = await place.send(sandbox, ["--token", "0a0b"])
    #expect(unreadable.code == .failure)
    #expect(unreadable.errors.count == 1)
    #expect(unreadable.errors.first?.contains("key.p8") == true)
    #expect(unreadable.errors.first?.contains(".p8 file") == true)
    try FileManager.default.removeItem(atPath: place.path("key.p8"))
    let missing = await place.send(sandbox, ["--token", "0a0b"])
    #expect(missing.code == .failure)
    #expect(missing.errors.first?.contains("no such file") == true)
    #expect(await sandbox.stop() == .success)
  }

  @Test("a key that others can read is used, with a warning on standard error")
  func exposedKey() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    let quiet = await place.send(sandbox, ["--token", "0a0b"])
    #expect(quiet.errors.isEmpty)
    try place.setMode(0o644, of: "key.p8")
    let result = await place.send(sandbox, ["--token", "0a0b", "--token", "0a0b"])
    #expect(result.code == .success)
    let cure = "others than its owner may read \(place.path("key.p8")): run chmod 600 on it"
    #expect(result.errors == ["martlet send: " + cure])
    #expect(await sandbox.stop() == .success)
  }

  @Test("a payload that is not JSON is refused before it is sent")
  func badPayload() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    let result = await place.send(sandbox, ["--token", "0a0b"], payload: "{")
    #expect(result.code == .failure)
    #expect(result.errors.first?.contains("not JSON") == true)
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "an error in the command line is exit 2 and names the option",
    arguments: [
      (["--token", "0a", "one.json"], "--bundle-id"),
      (
        ["--bundle-id", "a", "--team-id", "T", "--key-id", "K", "--key-file", "F", "one.json"],
        "--token"
      ), (["--token", "0a"], "PAYLOAD"),
      (["--priority", "7"] + complete, "--priority"),
      (["--id", "x"] + complete, "--id"),
      (["--id", "0B1F3C5E-0000-4000-8000-00000000000A", "--token", "0b"] + complete, "--id"),
      (["--apns", "http://localhost"] + complete, "--apns"),
      (["--apns-ca", "x"] + complete, "--apns-ca"),
      (["--expiration", "-1"] + complete, "--expiration"),
      (["--collapse-id", String(repeating: "x", count: 65)] + complete, "--collapse-id"),
      (["--loud"] + complete, "--loud"),
      (["--token", "0a0"] + complete, "--token \"0a0\" has 3 hex digits, an odd number"),
      (
        ["--token", "d:APA91bHun4"] + complete,
        "--token \"d:APA91bHun4\" is a registration token of Firebase"
      ),
      (complete + ["two.json"], "PAYLOAD"),
    ])
  func usage(words: [String], option: String) async throws {
    let place = try #require(place)
    let result = await place.run(["send"] + words)
    #expect(result.code == .invalidInput)
    #expect(result.errors.first?.contains(option) == true)
    #expect(result.output.isEmpty)
  }

  static let complete = [
    "--bundle-id", "a", "--team-id", "T", "--key-id", "K", "--key-file", "F", "--token", "0a",
    "one.json",
  ]

  @Test(
    "an error in the sandbox's command line is exit 2 and names the option",
    arguments: [
      (["--listen", "nowhere"], "--listen"), (["--key", "x"], "--certificate"),
      (["--provider-key", "x"], "--provider-key"), (["--max-streams", "0"], "--max-streams"),
      (["--latency", "soon"], "--latency"), (["--latency", "p50=20ms"], "--latency"),
      (["--page", "here"], "--page"), (["--idle-timeout", "0"], "--idle-timeout"),
      (["here"], "operand"),
    ])
  func sandboxUsage(words: [String], option: String) async throws {
    let place = try #require(place)
    let result = await place.run(["apns-sandbox"] + words)
    #expect(result.code == .invalidInput)
    #expect(result.errors.first?.contains(option) == true)
  }

  @Test("a journal that cannot be written is one line on stderr, and pushes are answered as before")
  func fullDisk() async throws {
    let place = try #require(place)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("journal.jsonl"), withDestinationPath: "/dev/full")
    let sandbox = try await RunningSandbox.start(place)
    for _ in 0..<2 { #expect(await place.send(sandbox, ["--token", "0a0b"]).code == .success) }
    #expect(await sandbox.stop() == .success)
    #expect(sandbox.errors.count == 1)
    #expect(sandbox.errors.first?.contains("journal.jsonl") == true)
  }

  @Test("a script of 1 MiB is read")
  func longestScript() async throws {
    let place = try #require(place)
    let script = #"{"rules":[]}"#
    try place.write(
      script + String(repeating: " ", count: 1 << 20 - script.utf8.count), "script.json")
    let sandbox = try await RunningSandbox.start(place, ["--script", place.path("script.json")])
    #expect(await sandbox.stop() == .success)
  }

  @Test("a script's faults apply to pushes")
  func script() async throws {
    let place = try #require(place)
    let rule = #"{"token":"0a0b","do":"status","status":410,"reason":"ExpiredToken","timestamp":7}"#
    try place.write(#"{"rules":[\#(rule)]}"#, "script.json")
    let sandbox = try await RunningSandbox.start(place, ["--script", place.path("script.json")])
    let result = await place.send(sandbox, ["--token", "0a0b", "--token", "0c0d", "--json"])
    #expect(result.code == .failure)
    let answers = try result.output.map { try JSONValue(parsing: $0) }
    #expect(answers.map { $0["status"] } == [410, 200])
    #expect(answers[0]["reason"] == "ExpiredToken")
    #expect(answers[0]["timestamp"] == 7)
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "a script that cannot be read is exit 1 and names the file, the rule and the key",
    arguments: [
      (#"{"rules":[{"do":"stall"},{"do":"limit"}]}"#, #"rule 2: "value": is missing"#),
      (#"{"rules":[{"do":"explode"}]}"#, #"rule 1: "do": is "explode"; it takes goaway,"#),
      ("nonsense", "is not JSON"),
      (String(repeating: " ", count: 1 << 20) + "{", "more than 1 MiB"),
      (nil, "is it a readable file?"),
    ] as [(String?, String)])
  func badScript(_ text: String?, _ message: String) async throws {
    let place = try #require(place)
    if let text { try place.write(text, "script.json") }
    let result = await place.run(
      [
        "apns-sandbox", "--listen", "127.0.0.1:0", "--data", place.path("data"), "--script",
        place.path("script.json"),
      ])
    #expect(result.code == .failure)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("script.json") == true)
    #expect(result.errors.first?.contains(message) == true, "\(result.errors)")
  }

  @Test("a port in use is exit 1 and one line with the fix")
  func portInUse() async throws {
    let place = try #require(place)
    let sandbox = try await RunningSandbox.start(place)
    let result = await place.run(
      ["apns-sandbox", "--listen", "127.0.0.1:\(sandbox.port)", "--data", place.path("data")])
    #expect(result.code == .failure)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("choose another port") == true)
    #expect(await sandbox.stop() == .success)
  }

  @Test("the sandbox keeps its authority, whose key only the owner can read")
  func authorityIsKept() async throws {
    let place = try #require(place)
    let first = try await RunningSandbox.start(place)
    let authority = try String(contentsOfFile: first.authority, encoding: .utf8)
    #expect(first.authority.hasPrefix("/"))
    let mode = try FileManager.default.attributesOfItem(
      atPath: place.path("data/ca-key.pem"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(await first.stop() == .success)
    let second = try await RunningSandbox.start(place)
    #expect(try String(contentsOfFile: second.authority, encoding: .utf8) == authority)
    #expect(await second.stop() == .success)
  }
}

/// A directory with a key and a payload, and a console that records output.
final class Place: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "martlet-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try write(OpenSSLCrypto.makeP256KeyPEM(), "key.p8")
    try setMode(0o600, of: "key.p8")
    try write(#"{"aps":{"alert":"Hello"}}"#, "payload.json")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  /// `martlet send` to a sandbox.
  func send(
    _ sandbox: RunningSandbox, _ words: [String], payload: String? = nil
  ) async -> (code: ExitCode, output: [String], errors: [String]) {
    if let payload { try? write(payload, "payload.json") }
    return await run(
      [
        "send", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", path("key.p8"), "--apns", "https://127.0.0.1:\(sandbox.port)",
        "--apns-ca", sandbox.authority,
      ] + words + [path("payload.json")])
  }

  func run(_ line: [String]) async -> (code: ExitCode, output: [String], errors: [String]) {
    let lines = Lines()
    let code = await runMartlet(line, lines.console(terminations: AsyncStream { $0.yield() }))
    return (code, lines.output.withLock { $0 }, lines.errors.withLock { $0 })
  }
}

/// The output of a command.
final class Lines: Sendable {
  let output = Mutex<[String]>([])
  let errors = Mutex<[String]>([])

  func console(
    onPrint: @escaping @Sendable (String) -> Void = { _ in },
    terminations: AsyncStream<Void>
  ) -> Console {
    Console(
      environment: [:],
      print: { line in
        self.output.withLock { $0.append(line) }
        onPrint(line)
      },
      printError: { line in self.errors.withLock { $0.append(line) } },
      readInput: { _ in Data() }, readLine: { nil }, isTerminal: false,
      terminations: { terminations })
  }
}

/// A `martlet apns-sandbox` that runs in this process until it is stopped.
struct RunningSandbox {
  let port: UInt16
  let authority: String
  /// The lines that it printed after the first two.
  let nextLine: @Sendable () async -> String?
  private let end: AsyncStream<Void>.Continuation
  private let task: Task<ExitCode, Never>
  private let lines: Lines

  /// The lines on standard error.
  var errors: [String] { lines.errors.withLock { $0 } }

  /// Starts it; `isChecking` is whether it checks the signatures of provider tokens.
  static func start(
    _ place: Place, _ more: [String] = [], isChecking: Bool = true
  ) async throws -> RunningSandbox {
    let key = isChecking ? ["--provider-key", "TEAM123456:KEY1234567:" + place.path("key.p8")] : []
    let (signals, end) = AsyncStream<Void>.makeStream()
    let (printed, printer) = AsyncStream<String>.makeStream()
    let lines = Lines()
    let console = lines.console(onPrint: { printer.yield($0) }, terminations: signals)
    let task = Task {
      let code = await runMartlet(
        [
          "apns-sandbox", "--listen", "127.0.0.1:0", "--data", place.path("data"), "--journal",
          place.path("journal.jsonl"),
        ] + key + more, console)
      printer.finish()
      return code
    }
    var ready = printed.makeAsyncIterator()
    let listening = try #require(await ready.next(), "\(lines.errors.withLock { $0 })")
    let authority = try #require(await ready.next())
    let port = try #require(listening.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(listening == "listening on https://127.0.0.1:\(port)")
    return RunningSandbox(
      port: port, authority: String(authority.trimmingPrefix("ca: ")),
      nextLine: { await printed.first { $0.contains(":") } }, end: end, task: task, lines: lines)
  }

  func stop() async -> ExitCode {
    end.yield()
    return await task.value
  }
}
