import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet conformance", .timeLimit(.minutes(10)))
struct ConformanceCommandTests {
  private static func check(
    _ place: Place, _ sandbox: RunningSandbox, _ words: [String]
  ) async -> (code: ExitCode, output: [String], errors: [String]) {
    await place.run(
      [
        "conformance", "--against", "https://127.0.0.1:\(sandbox.port)", "--ca", sandbox.authority,
        "--provider-key", "TEAM123456:KEY1234567:\(place.path("key.p8"))",
      ] + words)
  }

  @Test("a sandbox with slow start keeps all rules: a line a rule, the counts, and exit 0")
  func held() async throws {
    let place = try Place()
    try place.write(#"{"gone":{"00dead00":1764370800000}}"#, "tokens.json")
    let sandbox = try await RunningSandbox.start(
      place, ["--slow-start", "--tokens", place.path("tokens.json")])
    let result = await Self.check(place, sandbox, ["--gone-token", "00dead00"])
    #expect(result.code == .success, "\(result.output)")
    #expect(result.output.contains { $0.hasPrefix("request.accepted  held  POST /3/device/") })
    #expect(result.output.last == "\(result.output.count - 1) held, 0 failed, 0 skipped")
    #expect(result.errors.isEmpty)
    #expect(await sandbox.stop() == .success)
  }

  @Test("a sandbox without slow start fails that rule: exit 1, and what differs")
  func failed() async throws {
    let place = try Place()
    let sandbox = try await RunningSandbox.start(place)
    let result = await Self.check(place, sandbox, ["--rule", "connection.", "--quiet"])
    #expect(result.code == .failure)
    #expect(result.output.count == 2)
    #expect(result.output.first?.hasPrefix("connection.slow-start  failed") == true)
    #expect(result.output.first?.contains("and not 1") == true)
    let json = await Self.check(
      place, sandbox,
      ["--rule", "connection.slow-start", "--rule", "request.token-gone", "--json"])
    let report = try JSONValue(parsing: #require(json.output.first))
    #expect(report["failed"] == 1 && report["skipped"] == 1 && json.output.count == 1)
    #expect(report["rules"]?.array?.first?["evidence"]?.array?.isEmpty == false)
    #expect(await sandbox.stop() == .success)
  }

  @Test("a server that is not there, or refuses every push, is exit 2 with one line")
  func unusable() async throws {
    let place = try Place()
    let sandbox = try await RunningSandbox.start(place)
    let refused = await place.run([
      "conformance", "--against", "https://127.0.0.1:\(sandbox.port)", "--ca", sandbox.authority,
    ])
    #expect(refused.code == .invalidInput && refused.errors.count == 1)
    #expect(refused.errors.first?.contains("403 InvalidProviderToken") == true)
    #expect(await sandbox.stop() == .success)
    let gone = await Self.check(place, sandbox, [])
    #expect(gone.code == .invalidInput && gone.errors.count == 1 && gone.output.isEmpty)
  }

  @Test("a client that reports its pushes as unanswered keeps the rules about certificates only")
  func client() async throws {
    let place = try Place()
    let command = "for token in $APNS_TOKENS; do echo $token none; done"
    let held = await place.run(["conformance", "--client", command, "--rule", "client.untrusted"])
    #expect(held.code == .success)
    let failed = await place.run(["conformance", "--client", command, "--rule", "client.request"])
    #expect(failed.code == .failure)
    #expect(failed.output.first?.contains("requests for one push: 0, and not 1") == true)
    let missing = await place.run([
      "conformance", "--client", "no-such-client-of-apns", "--rule", "client.untrusted",
    ])
    #expect(missing.code == .failure)
    #expect(missing.output.first?.contains("cannot be run") == true)
  }

  @Test(
    "an error in the command line is exit 2 and names the option",
    arguments: [
      ([], "--against"), (["--against", "https://a.example", "--client", "true"], "--against"),
      (["--against", "http://a.example"], "--against"),
      (["--client", "true", "--ca", "x.pem"], "--ca"),
      (["--client", "true", "--rule", "client.requst"], "client.request"),
      (["--against", "https://a.example", "--rule", "client.request"], "--rule"),
      (["--against", "https://a.example", "--provider-key", "x"], "--provider-key"),
    ])
  func usage(words: [String], option: String) async throws {
    let result = try await Place().run(["conformance"] + words)
    #expect(result.code == .invalidInput)
    #expect(result.errors.first?.contains(option) == true, "\(result.errors)")
  }
}
