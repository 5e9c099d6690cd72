import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("Tokens, keys and slow start of martlet apns-sandbox", .timeLimit(.minutes(10)))
struct SandboxOptionsTests {
  @Test("a file says which tokens are gone, expired, foreign or of one app")
  func tokens() async throws {
    let place = try Place()
    try place.write(
      #"""
      {"gone": {"0A01": 1700000000000}, "expired": {"0a02": 7}, "foreign": ["0a03"],
       "apps": {"0a04": "com.example.other", "0a05": "com.example.app"}}
      """#, "tokens.json")
    let sandbox = try await RunningSandbox.start(place, ["--tokens", place.path("tokens.json")])
    let names = ["0a01", "0a02", "0a03", "0a04", "0a05", "0a06"]
    let result = await place.send(sandbox, names.flatMap { ["--token", $0] } + ["--json"])
    let answers = try result.output.map { try JSONValue(parsing: $0) }
    #expect(answers.map { $0["status"] } == [410, 410, 400, 400, 200, 200])
    #expect(
      answers.prefix(4).map { $0["reason"]?.string } == [
        "Unregistered", "ExpiredToken", "BadDeviceToken", "DeviceTokenNotForTopic",
      ])
    #expect(answers.prefix(2).map { $0["timestamp"] } == [1_700_000_000_000, 7])
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "phones of the file are offline until the page brings one back",
    arguments: [("last", ["b"]), ("several", ["a", "b"])] as [(String, [String])])
  func offline(stored: String, delivered: [String]) async throws {
    let place = try Place()
    try place.write(#"{"offline": ["0A01"]}"#, "tokens.json")
    let sandbox = try await RunningSandbox.start(
      place,
      ["--tokens", place.path("tokens.json"), "--stored", stored, "--page", "127.0.0.1:0"])
    let page = try #require(await sandbox.nextLine()).dropFirst(6)
    for name in ["a", "b"] {
      let result = await place.send(sandbox, ["--token", "0a01", "--collapse-id", name])
      #expect(result.code == .success)
    }
    let answer = await runProgram(
      "/usr/bin/curl", ["-s", "--max-time", "50", "-X", "POST", page + "phones/0a01/online"])
    #expect(answer.output == "The phone is online.")
    let journal = try String(contentsOfFile: place.path("journal.jsonl"), encoding: .utf8)
    let lines = try journal.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let names = Dictionary(
      lines.compactMap { line in
        line["headers"]?["apns-collapse-id"]?.string.map { ("\(line["connection"] ?? .null)", $0) }
      }, uniquingKeysWith: { $1 })
    let arrived = lines.filter { $0["delivery"] == "delivered" }
    #expect(arrived.map { names["\($0["connection"] ?? .null)"] } == delivered)
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "a certificate that is damaged or missing is named, with the cure",
    arguments: ["nonsense", "", nil] as [String?])
  func damagedAuthority(text: String?) throws {
    let folder = TemporaryFolder()
    let kept = try SandboxAuthority(directory: folder.file("data"))
    #expect(
      try SandboxAuthority(directory: folder.file("data")).certificateFile == kept.certificateFile)
    try FileManager.default.removeItem(at: kept.certificateFile)
    if let text { try Data(text.utf8).write(to: kept.certificateFile) }
    let failure = #expect(throws: CommandFailure.self) {
      try SandboxAuthority(directory: folder.file("data"))
    }
    let message = failure?.description ?? ""
    #expect(message.contains("ca.pem and") && message.contains("delete both"), "\(message)")
    #expect(!message.contains("is it a directory"))
  }

  @Test("tokens without a time are gone since the start")
  func list() throws {
    let file = try SandboxTokenFile(json: Data(#"{"gone":["AB","cd"]}"#.utf8), now: 5)
    #expect(file.gone == ["ab": 5, "cd": 5])
    #expect(try SandboxTokenFile(json: Data("{}".utf8), now: 5).gone.isEmpty)
  }

  @Test(
    "a file of tokens that is wrong is exit 1 and names the key",
    arguments: [
      ("[]", "a JSON object"), ("nonsense", "a JSON object"), (#"{"offline":{}}"#, "a list"),
      (#"{"gonne":[]}"#, #""gonne" is unknown"#), (#"{"gone":"0a"}"#, #""gone" takes"#),
      (#"{"gone":{"0a":-1}}"#, "milliseconds"), (#"{"gone":{"0a":"now"}}"#, "milliseconds"),
      (#"{"foreign":["0a0"]}"#, #""foreign": the token "0a0" has 3 hex digits, an odd number"#),
      (#"{"foreign":[""]}"#, #""foreign": the token "" is empty"#),
      (#"{"gone":["d:APA91b"]}"#, "is a registration token of Firebase"),
      (#"{"foreign":[1]}"#, "a list"), (#"{"apps":{"0a":""}}"#, "a bundle id"),
      (#"{"apps":["0a"]}"#, "an object"), (nil, "there is no such file"),
    ] as [(String?, String)])
  func badTokens(text: String?, message: String) async throws {
    let place = try Place()
    if let text { try place.write(text, "tokens.json") }
    let result = await place.run([
      "apns-sandbox", "--listen", "127.0.0.1:0", "--data", place.path("data"), "--tokens",
      place.path("tokens.json"),
    ])
    #expect(result.code == .failure)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("tokens.json") == true)
    #expect(result.errors.first?.contains(message) == true, "\(result.errors)")
  }

  @Test("a key is limited to bundle ids, or belongs to the other environment")
  func keys() async throws {
    let place = try Place()
    let limited = try await RunningSandbox.start(
      place, ["--key-topics", "KEY1234567=com.example.other,com.example.third"])
    #expect(
      await place.send(limited, ["--token", "0a"]).output.first?.contains("TopicDisallowed") == true
    )
    let other = await place.send(limited, ["--token", "0a", "--topic", "com.example.third"])
    #expect(other.code == .success)
    #expect(await limited.stop() == .success)
    let foreign = try await RunningSandbox.start(place, ["--foreign-key", "KEY1234567"])
    #expect(
      await place.send(foreign, ["--token", "0a"]).output.first?
        .contains("403 BadEnvironmentKeyIdInToken") == true)
    #expect(await foreign.stop() == .success)
  }

  @Test(
    "topics without a key, and a key that is not given, are refused",
    arguments: [
      ["--key-topics", "KEY1234567"], ["--key-topics", "KEY1234567="],
      ["--key-topics", "=com.example"], ["--key-topics", "KEY1234567=a,,b"],
      ["--key-topics", "OTHER12345=com.example"], ["--foreign-key", "OTHER12345"],
    ])
  func badKeys(words: [String]) async throws {
    let place = try Place()
    let result = await place.run(
      [
        "apns-sandbox", "--data", place.path("data"), "--provider-key",
        "TEAM123456:KEY1234567:" + place.path("key.p8"),
      ] + words)
    #expect(result.code == .invalidInput)
    #expect(result.errors.count == 1)
  }

  @Test(
    "nghttp reads a limit of one stream with --slow-start, and of 1000 without",
    .enabled(if: isInstalled("nghttp"), "nghttp2-client is not installed"),
    arguments: [(["--slow-start"], 1), ([], 1000), (["--max-streams", "7"], 7)])
  func slowStart(words: [String], limit: Int) async throws {
    let place = try Place()
    let sandbox = try await RunningSandbox.start(place, words)
    let result = await runProgram(
      "/usr/bin/nghttp",
      ["-v", "-n", "--no-verify-peer", "https://127.0.0.1:\(sandbox.port)/3/device/0a0b"])
    #expect(result.status == 0)
    #expect(result.output.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):\(limit)]"))
    // nghttp sends GET.
    #expect(result.output.contains(":status: 405"))
    #expect(await sandbox.stop() == .success)
  }

  @Test(
    "h2load sends 2000 pushes on two connections, and each is accepted",
    .enabled(if: isInstalled("h2load"), "nghttp2-client is not installed"))
  func h2load() async throws {
    let place = try Place()
    // Without a provider key any well-formed token is accepted, as a test of load may use.
    let header = Data(#"{"alg":"ES256","kid":"KEY1234567"}"#.utf8).base64EncodedString()
    let now = Int(Date().timeIntervalSince1970)
    let claims = Data(#"{"iss":"TEAM123456","iat":\#(now)}"#.utf8).base64EncodedString()
    let signature = Data(repeating: 1, count: 64).base64EncodedString()
    let sandbox = try await RunningSandbox.start(place, isChecking: false)
    let result = await runProgram(
      "/usr/bin/h2load",
      [
        "-n", "2000", "-c", "2", "-m", "100", "-d", place.path("payload.json"),
        "-H", "authorization: bearer \(header).\(claims).\(signature)",
        "-H", "apns-topic: com.example.app", "-H", ":method: POST",
        "https://127.0.0.1:\(sandbox.port)/3/device/0a0b",
      ])
    #expect(result.output.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"))
    #expect(result.output.contains("status codes: 2000 2xx"))
    let journal = try String(contentsOfFile: place.path("journal.jsonl"), encoding: .utf8)
    #expect(journal.split(separator: "\n").count == 2000)
    #expect(await sandbox.stop() == .success)
  }

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }
}
