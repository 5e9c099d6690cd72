import APNs
import Foundation
import PushModel
import PushPayload
import PushServer
import TestSupport
import Testing

@Suite("A caller in Python", .timeLimit(.minutes(10)))
struct PythonCallerTests {
  @Test("gets the documented answers, 401 and 403, and reads lists by cursor to their end")
  func script() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer { push in
      push.deviceToken.hasPrefix("dead")
        ? APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let keys = fixture.keys.map { ($0.key.rawValue, JSONValue.string($0.value)) }
    let given: JSONValue = [
      "url": .string("http://127.0.0.1:\(server.port)"),
      "keys": .object(Dictionary(uniqueKeysWithValues: keys)),
    ]
    let file = try fixture.directory.write(given.text, to: "server.json")
    let root = Repository.root
    let run = await runProgram(
      root.appending(path: ".build/python/bin/python").path(),
      [root.appending(path: "Tests/Scripts/api.py").path(), file])
    await server.stop()
    #expect(run.status == 0, "\(run.output)")
  }
}
