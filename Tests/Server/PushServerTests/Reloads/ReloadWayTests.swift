import APNs
import APNsSandbox
import Foundation
import MartletKit
import PushModel
import PushPayload
import TestSupport
import Testing
import _TLS

@testable import PushServer

/// The tokens that MartletKit tells, at a server whose pushes go over HTTP/2 to the model of APNs.
@Suite("Widgets and controls from the app's library to APNs", .timeLimit(.minutes(10)))
struct ReloadWayTests {
  @Test("tokens are reloaded under their own topics, and one that APNs refuses is removed")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    let app = fixture.app.bundleID
    let apns = try await LocalAPNs(for: fixture.newApp) { configuration in
      // The tokens of WidgetKit take no other push.
      configuration.apps = [
        "01": app + ".push-type.widgets", "02": app + ".push-type.controls",
        "03": app + ".push-type.controls",
      ]
      configuration.goneTokens = ["03": 1 << 50]
    }
    let sender = APNsSender(
      endpoints: .init(production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey)
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: sender
    ) { _ in }
    let url = "http://127.0.0.1:\(server.port)"
    do {
      try await live(at: url, fixture)
    } catch {
      await server.stop()
      await apns.stop()
      throw error
    }
    await server.stop()
    await apns.stop()
    let pushes = apns.journal.map { line in
      "\(line["token"]?.string ?? "") \(line["headers"]?["apns-topic"]?.string ?? "") "
        + "\(line["headers"]?["apns-push-type"]?.string ?? "") \(line["status"]?.integer ?? 0)"
    }
    #expect(
      Set(pushes) == [
        "01 \(app).push-type.widgets widgets 200", "02 \(app).push-type.controls controls 200",
        "03 \(app).push-type.controls controls 410",
      ])
    #expect(pushes.count == 4)
    for line in apns.journal { #expect(line["payload"] == ["aps": ["content-changed": true]]) }
  }

  private func live(at url: String, _ fixture: Fixture) async throws {
    let folder = TemporaryFolder()
    let push = PushDevice(
      PushSettings(
        server: try #require(URL(string: url)), key: try #require(fixture.keys[.device]),
        folder: folder.url))
    push.setWidgetToken(Data([1]))
    push.setControlTokens([Data([2]): "lamp", Data([3]): "door"])
    await push.start()
    #expect(await push.synchronize().state == .upToDate)
    func reload(_ type: String) async throws -> JSONValue {
      let body: JSONValue = ["reload": ["type": .string(type), "targets": "*"]]
      let answer = try await curl(
        "POST", url + "/v6/reloads", key: fixture.keys[.push], body: body.text)
      #expect(answer.status == 200, "\(answer)")
      return answer.json["reload"] ?? .null
    }
    #expect(try await reload("widgets")["sent"] == 1)
    let controls = try await reload("controls")
    #expect(controls["sent"] == 1 && controls["gone"] == 1)
    #expect(try await reload("controls")["tokens"] == 1)
    let stored = try await push.export()
    let text = String(decoding: stored, as: UTF8.self)
    #expect(text.contains(#""reload_tokens""#), "\(text)")
    try await push.stop()
    #expect(try await reload("widgets")["tokens"] == 0)
  }
}
