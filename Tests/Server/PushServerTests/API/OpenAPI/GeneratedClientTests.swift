import Foundation
import PushModel
import PushPayload
import PushServer
import TestSupport
import Testing

@Suite("Clients that are generated from the document", .timeLimit(.minutes(60)))
struct GeneratedClientTests {
  private static let root = Repository.root

  /// The scripts that generate clients: openapi-python-client and datamodel-code-generator, and in `make verify`
  /// openapi-generator for Python and TypeScript, which needs Java and takes minutes.
  static let scripts =
    ["generate.py"]
    + (Tier.isWhole ? ["openapi_generator.py"] : [])

  /// A script gets the URL and the keys of a server, and a folder for the clients.
  @Test("have correct types and drive a server", arguments: scripts)
  func clients(_ script: String) async throws {
    let fixture = try await Fixture()
    let server = try PushServer.started(
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
