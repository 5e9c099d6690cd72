import Foundation
import PushPayload
import PushServer
import PushStore
import TestSupport
import Testing

@Suite("Clients that are generated from the document", .timeLimit(.minutes(10)))
struct GeneratedClientTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "have correct types and drive a server: openapi-python-client and datamodel-code-generator")
  func python() async throws {
    try await run("generate.py")
  }

  @Test(
    "have correct types and drive a server: openapi-generator for Python and TypeScript",
    .enabled(if: ProcessInfo.processInfo.environment["MARTLET_TORTURE"] != nil))
  func openAPIGenerator() async throws {
    try await run("openapi_generator.py")
  }

  /// Runs a script with the URL and the keys of a server, and a folder for the clients.
  private func run(_ script: String) async throws {
    let fixture = try await Fixture()
    let server = try PushServer(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let keys = fixture.keys.map { ($0.key.rawValue, JSONValue.string($0.value)) }
    let given: JSONValue = [
      "url": .string("http://127.0.0.1:\(server.port)"),
      "keys": .object(Dictionary(uniqueKeysWithValues: keys)),
    ]
    let file = try fixture.directory.write(given.text, to: "server.json")
    let clients = fixture.directory.path("clients")
    try FileManager.default.createDirectory(atPath: clients, withIntermediateDirectories: true)
    let run = await runProgram(
      Self.root.appending(path: ".build/python/bin/python").path(),
      [Self.root.appending(path: "Tests/Scripts/generated/\(script)").path(), file, clients])
    await server.stop()
    #expect(run.status == 0, "\(run.output)")
  }
}
