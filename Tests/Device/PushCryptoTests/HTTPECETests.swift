import FoundationEssentials
import PushCrypto
import TestSupport
import Testing
import _OpenSSLCrypto

/// Tests against Python's http_ece, an implementation that shares no code with this one.
///
/// `scripts/bootstrap` installs it.
@Suite("Web Push with http_ece", .timeLimit(.minutes(10)))
struct HTTPECETests {
  private struct Case: Encodable {
    var `do`: String
    var private_key, public_key, auth_secret, content: String
    var rs = 4096
  }

  private struct Answer: Decodable {
    var content: String?
    var error: String?
  }

  private let device: DeviceKeys
  private let texts: [String: String]

  init() throws {
    device = try DeviceKeys.generate(with: provider)
    texts = try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(device))
  }

  private func makeCase(_ verb: String, _ content: [UInt8], rs: Int = 4096) throws -> Case {
    try Case(
      do: verb, private_key: #require(texts["private_key"]),
      public_key: #require(texts["public_key"]), auth_secret: #require(texts["auth_secret"]),
      content: Base64URL.encode(content), rs: rs)
  }

  /// Runs cases in Python, and returns the results.
  private func run(_ cases: [Case]) async throws -> [[UInt8]] {
    let root = Repository.root
    let python = root.appending(path: ".build/python/bin/python").path()
    let folder = TemporaryFolder()
    let lines = try cases.map { try String(decoding: JSONEncoder().encode($0), as: UTF8.self) }
    let file = try folder.write(lines.joined(separator: "\n"), to: "cases.jsonl")
    let run = await runProgram(python, [Fixtures.url("crypto/http_ece_peer.py").path(), file])
    try #require(
      run.status == 0, "\(python) with http_ece is missing or failed: run scripts/bootstrap")
    let answers = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
    try #require(answers.count == cases.count)
    return try answers.map { answer in
      try #require(answer.content.flatMap { Base64URL.decode($0) }, "\(answer.error ?? "")")
    }
  }

  @Test("http_ece decrypts what WebPush encrypts, with and without padding")
  func opensOurs() async throws {
    let lengths = [0, 1, 15, 16, 17, 41, 1000, 3993, 4078, 4079, 4080, 10_000]
    let plaintexts = lengths.flatMap { [bytes($0), bytes($0)] }
    let cases = try plaintexts.enumerated().map { index, plaintext in
      try makeCase(
        "open",
        WebPush.seal(
          plaintext, to: device.subscription, padding: index % 2 * 33, provider: provider))
    }
    let opened = try await run(cases)
    for (found, expected) in zip(opened, plaintexts) { #expect(found == expected) }
  }

  @Test("http_ece decrypts payloads that are padded to a multiple", arguments: [16, 256, 1000])
  func opensPadded(multiple: Int) async throws {
    let plaintexts = [0, 1, 15, 16, 17, 255, 256, 257, 999, 1000, 1001, 2800, 2900].map {
      bytes($0)
    }
    let cases = try plaintexts.map { plaintext in
      let padding = EncryptedContent.padding(
        for: plaintext.count, toMultipleOf: multiple, maximum: 2850)
      let sealed = try EncryptedPayload(
        sealing: plaintext, to: device.subscription, padding: padding, provider: provider)
      let length = sealed.body.count - WebPush.overhead
      #expect(length % multiple == 0 || length == 2850 || length == 2900)
      return try makeCase("open", sealed.body)
    }
    #expect(try await run(cases) == plaintexts)
  }

  @Test("WebPush decrypts what http_ece encrypts, in one record and in many")
  func opensTheirs() async throws {
    let lengths = [1, 15, 16, 17, 41, 1000, 3993, 4078, 4079, 4080, 8158, 10_000]
    let plaintexts = lengths.map { bytes($0) }
    let sizes = [18, 19, 100, 4096]
    let chosen = plaintexts.flatMap { text in sizes.map { (text, $0) } }
      .filter { $0.count < 3000 || $1 > 19 }  // others are above the limit
    let bodies = try await run(chosen.map { try makeCase("seal", $0, rs: $1) })
    for (body, (plaintext, size)) in zip(bodies, chosen) {
      #expect(
        try WebPush.open(body, with: device, provider: provider) == plaintext,
        "\(plaintext.count) bytes in records of \(size)")
    }
  }
}
