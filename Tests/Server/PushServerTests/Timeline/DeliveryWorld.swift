import APNs
import NotificationHost
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// A server with the device `d`, a model of APNs, and a model phone: the whole way of one notification.
struct DeliveryWorld {
  let all: CampaignFixture
  var fixture: Fixture { all.fixture }
  /// The payload of the notification, with a picture.
  var payload: [String: JSONValue] = [
    "alert": ["title": "Rain", "body": "Take an umbrella"], "mutable_content": true,
    "_martlet": ["media": [["url": .string(ModelPhone.picture)]]],
  ]
  /// The other members of the notification.
  var members: [String: JSONValue] = ["to": "*", "force": true]
  var phone = ModelPhone()
  /// The query of the question; `nil` asks for the notification and the device.
  var query: String?
  /// Whether a push that APNs accepts reaches the phone.
  var reachesPhone = true
  private(set) var id = ""

  init() async throws { all = try await CampaignFixture(devices: 0) }

  /// Registers a device through the API.
  func register(_ device: [String: JSONValue], as id: String = "d") async {
    var members = device
    if members["push_token"] == nil { members["push_token"] = .string(Fixture.token(id)) }
    let body: JSONValue = ["device": .object(members)]
    let answer = await fixture.request("PUT", "/v6/devices/\(id)", body: body.text)
    #expect(answer.status == 200, "\(answer.text)")
  }

  func post(_ path: String, _ body: JSONValue = [:], role: APIKey.Role = .push) async -> JSONValue {
    let answer = await fixture.request("POST", "/v6/\(path)", role: role, body: body.text)
    #expect((200..<300).contains(answer.status), "\(path): \(answer.text)")
    return answer.json
  }

  /// Posts the notification.
  mutating func send() async {
    members["payload"] = .object(payload)
    id =
      await post("notifications", ["notification": .object(members)])["notification"]?["id"]?
      .string ?? ""
  }

  /// Sends what is due, and lets the phone report what it got.
  func deliver() async throws {
    let before = fixture.apple.taken.count
    await all.deliver()
    guard reachesPhone else { return }
    let token = Fixture.token("d")
    for taken in fixture.apple.taken.dropFirst(before) where taken.push.deviceToken == token {
      let message = PushMessage(
        payload: taken.payload, pushType: taken.push.pushType.rawValue,
        collapseID: taken.push.collapseID)
      let seconds = Double(fixture.clock.now.milliseconds) / 1000
      let (_, receipts) = try await phone.deliver(message, at: seconds)
      guard receipts.array?.isEmpty == false else { continue }
      let answer = await fixture.request(
        "POST", "/v6/receipts", role: .device, body: JSONValue(["receipts": receipts]).text)
      #expect(answer.status == 202 && answer.json["dropped"] == nil, "\(answer.text)")
    }
  }

  /// Lets APNs answer every push with a status and a reason.
  func refuse(_ status: Int, _ reason: String) {
    fixture.apple.answer { push in
      APNsOutcome(
        kind: .answered, status: status, reason: APNsReason(rawValue: reason), apnsID: push.id)
    }
  }

  /// The answer to the question.
  func explain() async -> JSONValue {
    let query = query ?? "notification=\(id)&device=d"
    let answer = await fixture.request("GET", "/v6/explain?\(query)")
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json
  }
}

extension JSONValue {
  fileprivate init(_ members: [String: JSONValue]) { self = .object(members) }
}
