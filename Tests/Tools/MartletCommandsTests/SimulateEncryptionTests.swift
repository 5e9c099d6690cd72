import Foundation
import PushCrypto
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet simulate with encrypted payloads", .timeLimit(.minutes(10)))
struct SimulateEncryptionTests {
  static let plain = #"{"aps":{"alert":"Plain","mutable-content":1},"_mediaUrl":"https://a/i"}"#

  let folder = TemporaryFolder()
  let keys: DeviceKeys

  init() throws {
    keys = try DeviceKeys.generate(with: OpenSSLCrypto())
    try JSONEncoder().encode(keys).write(to: folder.file("keys.json"))
    try FileManager.default.createDirectory(
      at: folder.file("group"), withIntermediateDirectories: true)
  }

  /// Writes a payload that has an inner one encrypted, and says where it is.
  private func seal(_ inner: String, as name: String) throws -> String {
    let sealed = try EncryptedPayload(
      sealing: Array(inner.utf8), to: keys.subscription, provider: OpenSSLCrypto())
    return try folder.write(
      #"{"aps":{"alert":"New message","mutable-content":1},"_enc":"\#(sealed.text)"}"#, to: name)
  }

  private func simulate(_ arguments: String...) async throws -> (ExitCode, [JSONValue]) {
    let console = RecordingConsole()
    let code = await runMartlet(
      ["simulate", "--json", "--private-key", folder.path("keys.json")] + arguments, console.console
    )
    return (code, try console.output.map { try JSONValue(parsing: $0) })
  }

  private func rules(_ report: JSONValue) -> [String] {
    (report["trace"]?.array ?? []).compactMap { $0["rule"]?.string }
  }

  @Test("--requires-encryption shows an encrypted payload, and the placeholder for a plain one")
  func required() async throws {
    let sealed = try seal(#"{"aps":{"alert":"Secret"},"_nid":"n1"}"#, as: "sealed.json")
    let plain = try folder.write(Self.plain, to: "plain.json")
    let (code, reports) = try await simulate("--requires-encryption", sealed, plain)
    #expect(code == .failure)
    #expect(
      reports.map { $0["content"]?["body"] } == ["Secret", "You may have a new notification"])
    #expect(reports.map { $0["decryption"] } == ["ok", "not-encrypted"])
    #expect(reports.map { $0["encrypted"] } == [true, false])
    #expect(reports[1]["content"]?["userInfo"] == [:])
    #expect(reports[1]["media"] == [])
    #expect(rules(reports[1]).contains("not-encrypted"))
    #expect(try await simulate("--requires-encryption", sealed).0 == .success)
  }

  @Test("without --requires-encryption a plain payload is shown")
  func notRequired() async throws {
    let plain = try folder.write(
      #"{"aps":{"alert":"Plain","mutable-content":1}}"#, to: "plain.json")
    let (code, reports) = try await simulate(plain)
    #expect(code == .success && reports[0]["content"]?["body"] == "Plain")
    #expect(reports[0]["decryption"] == .null)
  }

  @Test(
    "with an app group a repeated message id is refused, and without one it is not",
    arguments: [true, false], [true, false])
  func replayed(hasGroup: Bool, isSameFile: Bool) async throws {
    let inner = #"{"aps":{"alert":"Pay 100"},"_nid":"n1"}"#
    let first = try seal(inner, as: "1.json")
    let second = isSameFile ? first : try seal(inner, as: "2.json")
    let third = try seal(#"{"aps":{"alert":"Other"},"_nid":"n2"}"#, as: "3.json")
    let group = ["--app-group", folder.path("group")]
    let console = RecordingConsole()
    let code = await runMartlet(
      ["simulate", "--json", "--private-key", folder.path("keys.json")]
        + (hasGroup ? group : []) + [first, second, third],
      console.console)
    let reports = try console.output.map { try JSONValue(parsing: $0) }
    #expect(code == (hasGroup ? .failure : .success))
    let repeated = hasGroup ? "You may have a new notification" : "Pay 100"
    #expect(
      reports.map { $0["content"]?["body"]?.string } == ["Pay 100", repeated, "Other"])
    #expect(reports[1]["decryption"]?.string == (hasGroup ? "replayed" : "ok"))
    #expect(rules(reports[1]).contains("replayed") == hasGroup)
    #expect(
      reports[1]["content"]?["userInfo"] == (hasGroup ? [:] : reports[0]["content"]?["userInfo"]))
  }

  @Test("an extension in its own process requires encryption, too")
  func ownProcess() async throws {
    let plain = try folder.write(Self.plain, to: "plain.json")
    let martlet = BuiltProgram.martlet
    let (_, output) = await runProgram(
      martlet, ["simulate", "--json", "--requires-encryption", "--memory-limit", "24MiB", plain])
    #expect(try JSONValue(parsing: output)["decryption"] == "not-encrypted")
  }
}
