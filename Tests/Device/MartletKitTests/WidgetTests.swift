import Foundation
import PushPayload
import Testing

@testable import MartletKit

@Suite("The tokens of widgets and controls", .timeLimit(.minutes(10)))
struct WidgetTests {
  /// The requests for tokens, without the address of the server.
  private static func requests(_ phone: ModelPhone) -> [String] {
    phone.server.requests.filter { $0.url.path.contains("reload-tokens") }.map { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(request.method) \(request.url.path) \(body)"
        .replacingOccurrences(of: phone.record?.id ?? "", with: "ID")
    }
  }

  @Test("the tokens are sent once the server knows the device, and again only when they change")
  func requests() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    push.setWidgetToken(Data([0, 0xab]))
    push.setControlTokens([Data([2]): "door", Data([1]): "lamp"])
    await push.start()
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.server.requests.first?.url.path.hasSuffix("/sync") == true)
    #expect(
      Self.requests(phone) == [
        #"PUT /v6/devices/ID/reload-tokens/controls {"tokens":[{"kind":"lamp","token":"01"},"#
          + #"{"kind":"door","token":"02"}]}"#,
        #"PUT /v6/devices/ID/reload-tokens/widgets {"tokens":[{"token":"00ab"}]}"#,
      ])
    push.setControlTokens([Data([1]): "lamp", Data([2]): "door"])
    push.setWidgetToken(Data([0, 0xab]))
    await push.synchronize()
    #expect(Self.requests(phone).count == 2)
    push.setWidgetToken(Data([9]))
    push.setControlTokens([:])
    await push.synchronize()
    #expect(
      Self.requests(phone).suffix(2) == [
        #"PUT /v6/devices/ID/reload-tokens/widgets {"tokens":[{"token":"09"}]}"#,
        #"PUT /v6/devices/ID/reload-tokens/controls {"tokens":[]}"#,
      ])
    #expect(phone.device?.reloadTokens == ["widgets": [["token": "09"]]])
  }

  @Test("a request whose answer is lost is repeated, and one that is refused is named")
  func faults() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.synchronize()
    phone.server.fail(.answerLost)
    push.setWidgetToken(Data([1]))
    await push.synchronize()
    await push.activate()
    await push.synchronize()
    #expect(Self.requests(phone).count == 2)
    #expect(phone.device?.reloadTokens["widgets"] == [["token": "01"]])
    let many = Dictionary(uniqueKeysWithValues: (UInt8(0)...20).map { (Data([$0]), "lamp") })
    push.setControlTokens(many)
    let status = await push.synchronize()
    #expect(status.problems.map(\.path) == ["$.reload_tokens.controls"])
    #expect(phone.device?.reloadTokens["controls"] == nil)
    push.setControlTokens(many.filter { $0.key != Data([20]) })
    #expect(await push.synchronize().problems.isEmpty)
    #expect(phone.device?.reloadTokens["controls"]?.count == 20)
  }

  @Test("a stopped device withdraws its tokens, and one that starts again sends them again")
  func stop() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setWidgetToken(Data([1]))
    await push.synchronize()
    try await push.stop()
    await push.synchronize()
    #expect(phone.device?.reloadTokens == [:])
    await push.start()
    await push.synchronize()
    #expect(phone.device?.reloadTokens == ["widgets": [["token": "01"]]])
  }

  @Test("a widget extension sends for a device that the app has started, and for no other")
  func widgetExtension() async throws {
    let phone = ModelPhone()
    let early = phone.launch().push
    early.setWidgetToken(Data([1]))
    await early.sendUnlessStarted()
    #expect(phone.server.requests.isEmpty && phone.record == nil)
    let app = await phone.started()
    await app.synchronize()
    let push = phone.launch().push
    push.setWidgetToken(Data([2]))
    await push.sendUnlessStarted()
    #expect(phone.device?.reloadTokens == ["widgets": [["token": "02"]]])
    #expect(phone.device?.opens == 1)
  }
}
