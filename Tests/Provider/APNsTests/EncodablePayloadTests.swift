import APNs
import Foundation
import PushPayload
import Testing

@Suite("Payloads of one's own type")
struct EncodablePayloadTests {
  struct Forecast: Encodable {
    struct APS: Encodable { var alert: String }
    var aps = APS(alert: "Rain")
    var image_url = "https://example.com/a.png"
    var at = Date(timeIntervalSince1970: 1)
  }

  @Test("an encodable value becomes the body, without escaped slashes")
  func encodable() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.sortedKeys]
    let push = try APNsNotification(
      deviceToken: "0a", topic: "com.example.app", priority: 5, collapseID: "c",
      encoding: Forecast(), encoder: encoder)
    #expect(
      String(decoding: push.payload, as: UTF8.self)
        == #"{"aps":{"alert":"Rain"},"at":1,"image_url":"https:\/\/example.com\/a.png"}"#)
    #expect(push.priority == 5 && push.collapseID == "c" && push.pushType == .alert)
    let plain = try APNsNotification(
      deviceToken: "0a", topic: "com.example.app", encoding: Forecast())
    #expect(String(decoding: plain.payload, as: UTF8.self).contains("https://example.com/a.png"))
    #expect(try JSONValue(parsing: Data(plain.payload))["aps"]?["alert"] == "Rain")
  }

  @Test("bytes, Data and a typed payload make the same push")
  func alike() {
    let payload = APNsPayload(aps: APS(alert: Alert(title: "Rain")), custom: ["city": "Wellington"])
    let id = "0b1f3c5e-0000-4000-8000-00000000000a"
    let pushes = [
      APNsNotification(
        deviceToken: "0a", topic: "com.example.app", id: id, payload: Array(payload.encoded())),
      APNsNotification(
        deviceToken: "0a", topic: "com.example.app", id: id, payload: payload.encoded()),
      APNsNotification(deviceToken: "0a", topic: "com.example.app", id: id, payload: payload),
    ]
    #expect(Set(pushes).count == 1)
    // A literal is bytes.
    #expect(APNsNotification(deviceToken: "0a", topic: "t", payload: []).payload == [])
  }

  @Test("the keys beside aps come from an encodable value, whose own aps is ignored")
  func custom() throws {
    let payload = try APNsPayload(
      aps: APS(alert: Alert(title: "Sun"), mutableContent: true), encoding: Forecast())
    #expect(payload.json["aps"]?["alert"]?["title"] == "Sun")
    #expect(payload.custom["image_url"] == "https://example.com/a.png")
    #expect(payload.json["aps"]?["mutable-content"] == 1)
  }

  @Test("a value that is no object is refused")
  func noObject() {
    #expect(throws: EncodingError.self) { try APNsPayload(encoding: [1, 2]) }
    #expect(throws: EncodingError.self) { try APNsPayload(encoding: "text") }
    #expect(throws: EncodingError.self) {
      try APNsNotification(deviceToken: "0a", topic: "t", encoding: Double.infinity)
    }
  }
}
