import Foundation
import PushPayload
import Synchronization

@testable import MartletKit

/// The rules of the server for a device key: the first secret wins, invalid members are dropped, a user needs a proof, an erased
/// device stays erased, and ids of facts count once.
///
/// `Tests/Server/PushServerTests/Phones/AppLibraryTests.swift` runs the library against the server itself.
final class ModelServer: PushTransport {
  struct Device {
    var secret: String?
    var members: [String: JSONValue] = [:]
    var attributes: [String: JSONValue] = [:]
    var isErased = false
    var opens = 0
    /// How often each event was counted, by its name.
    var events: [String: Int] = [:]
    /// The users that the device had when an event came, by its name; an empty text stands for none.
    var eventUsers: [String: Set<String>] = [:]
    var activities = ModelActivities()
    /// The tokens of widgets and controls, by the push type.
    var reloadTokens: [String: [JSONValue]] = [:]

    /// The user, or an empty text.
    var user: String { members["user_id"]?.string ?? "" }
  }

  /// What happens to a request.
  enum Fault: Hashable, Sendable {
    /// It does not leave the phone, which knows that.
    case offline
    /// It is lost on its way.
    case lost
    /// The server takes it, and the answer is lost.
    case answerLost
    /// The server refuses it with a status.
    case status(Int, retryAfter: String? = nil)
    /// A proxy answers with a page in the server's place.
    case page(Int)
  }

  struct State {
    var devices: [String: Device] = [:]
    /// How often each receipt was counted.
    var receipts: [String: Int] = [:]
    var eventIDs: Set<String> = []
    var faults: [Fault] = []
    var requests: [PushRequest] = []
    /// The most bytes of a body.
    var bodyLimit = 1 << 20
    var keyIsKnown = true
    /// Whether it stores the valid events and receipts of a request, and names the others.
    var takesValidFacts = false
    var inbox = ModelInbox()
    /// The channels of the activities that the server keeps, or `null`.
    var keptActivities: [String: JSONValue] = [:]
    var time: Int64 = 0
  }

  let state = Mutex(State())
  /// Called with each request before it is answered; a test may wait here.
  let gate = Mutex<(@Sendable (PushRequest) async -> Void)?>(nil)

  var requests: [PushRequest] { state.withLock(\.requests) }
  var inbox: ModelInbox { state.withLock(\.inbox) }
  var devices: [String: Device] { state.withLock(\.devices) }

  /// Lets the next requests fail, in this order.
  func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    if let gate = gate.withLock(\.self) { await gate(request) }
    return try answer(request)
  }

  /// A token that proves a user until a time.
  static func proof(_ user: String, email: String? = nil, until: Int64 = .max) -> String {
    JSONValue.object([
      "sub": .string(user), "email": email.map(JSONValue.string) ?? .null, "exp": .integer(until),
    ]).serialized().base64EncodedString()
  }

  func answer(_ request: PushRequest) throws(PushTransportError) -> PushResponse {
    try state.withLock { state throws(PushTransportError) in
      state.requests.append(request)
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      switch fault {
      case .offline: throw PushTransportError("offline", isUnsent: true)
      case .lost: throw PushTransportError("timed out")
      case .status(let status, let retryAfter):
        return PushResponse(
          status: status, retryAfter: retryAfter, body: Data(#"{"error":"a fault"}"#.utf8))
      case .page(let status):
        return PushResponse(status: status, body: Data("<html>maintenance</html>".utf8))
      case .answerLost:
        _ = Self.handle(request, &state)
        throw PushTransportError("timed out")
      case nil: return Self.handle(request, &state)
      }
    }
  }

  private static func handle(_ request: PushRequest, _ state: inout State) -> PushResponse {
    func answer(_ status: Int, _ json: JSONValue? = nil) -> PushResponse {
      let json = json ?? (status < 400 ? [:] : ["error": "refused"])
      return PushResponse(status: status, body: json.serialized())
    }
    guard state.keyIsKnown else { return answer(401, ["error": "unauthorized"]) }
    guard (request.body?.count ?? 0) <= state.bodyLimit else {
      return answer(413, ["error": "the body is too large"])
    }
    let secret = request.headers["Martlet-Device-Secret"]
    let body = request.body.flatMap { try? JSONValue(parsing: $0) } ?? .null
    let path = request.url.path.split(separator: "/").map(String.init)
    if path == ["v6", "receipts"] { return answer(record(body, secret, &state)) }
    let devices = state.devices
    if path.count == 5, path[1] == "activities", path[3] == "followers" {
      guard devices[path[4]] != nil, let channel = state.keptActivities[path[2]] else {
        return answer(404, ["error": "there is no kept activity with this id"])
      }
      return request.method == "PUT" ? answer(200, ["channel_id": channel]) : answer(204)
    }
    func refusal(of id: String) -> Int? {
      guard let device = devices[id] else { return 403 }
      if device.isErased { return 451 }
      return device.secret == nil || device.secret == secret ? nil : 403
    }
    if path.count == 5, path[3] == "reload-tokens", request.method == "PUT" {
      if let refusal = refusal(of: path[2]) { return answer(refusal) }
      let limits = ["widgets": 1, "controls": 20]
      guard let tokens = body["tokens"]?.array, let limit = limits[path[4]], tokens.count <= limit
      else { return answer(422, ["error": "$.tokens must have fewer tokens"]) }
      state.devices[path[2]]?.reloadTokens[path[4]] = tokens.isEmpty ? nil : tokens
      return answer(204)
    }
    let activities = ModelActivities.answer(
      request.method, path, body, device: refusal(of:),
      edit: { id, edit in
        state.devices[id].map { _ in edit(&state.devices[id, default: Device()].activities) }
      })
    if let activities { return answer(activities) }
    guard path.count >= 3, path[0] == "v6", path[1] == "devices" else { return answer(404) }
    let id = path[2]
    if path.dropFirst(3).first == "sync" { return sync(id, body, request, &state) }
    let device = state.devices[id]
    let isAdmitted = device?.secret == nil || device?.secret == secret
    switch (request.method, path.dropFirst(3).first) {
    case ("PUT", nil):
      guard isAdmitted else { return answer(403, ["error": "forbidden"]) }
      guard device?.isErased != true else { return answer(451, ["error": "was erased"]) }
      return update(id, body["device"]?.object ?? [:], request, &state)
    case ("POST", "events"):
      guard isAdmitted else { return answer(403, ["error": "forbidden"]) }
      guard let device else { return answer(404, ["error": "no device with this id"]) }
      guard !device.isErased else { return answer(451, ["error": "was erased"]) }
      return answer(count(body["events"]?.array ?? [], id, &state))
    case ("POST", "erase"), ("GET", nil), ("GET", "messages"):
      guard device?.isErased != true else { return answer(451, ["error": "was erased"]) }
      guard let device, device.secret != nil, device.secret == secret else {
        return answer(403, ["error": "forbidden"])
      }
      if path.last == "messages" {
        let page = state.inbox.page(of: device.user, after: request.url.query)
        return page.map { answer(200, $0) } ?? answer(404, ["error": "this cursor has expired"])
      }
      if request.method == "GET" {
        return answer(200, ["devices": .object(device.members)])
      }
      state.devices[id] = Device(isErased: true)
      return answer(200, ["device": ["id": .string(id)]])
    default: return answer(404)
    }
  }

  /// Everything in one request: nothing is stored where a part is refused.
  private static func sync(
    _ id: String, _ body: JSONValue, _ request: PushRequest, _ state: inout State
  ) -> PushResponse {
    func answer(_ status: Int, _ json: JSONValue = ["error": "refused"]) -> PushResponse {
      PushResponse(status: status, body: json.serialized())
    }
    let secret = request.headers["Martlet-Device-Secret"]
    let device = state.devices[id]
    guard device?.secret == nil || device?.secret == secret else { return answer(403) }
    guard device?.isErased != true else { return answer(451) }
    guard device != nil || body["device"] != nil else { return answer(404) }
    var new = state
    var dropped: JSONValue = []
    let (kept, badFacts) = state.takesValidFacts ? validFacts(of: body) : (body, [])
    // The marks are those of the user before the update.
    new.inbox.mark(body, of: device?.user ?? "")
    if let members = body["device"]?.object {
      let updated = update(id, members, request, &new)
      guard updated.status == 200 else { return updated }
      dropped = (try? JSONValue(parsing: updated.body))?["dropped"] ?? []
    }
    if kept["receipts"] != nil {
      let status = record(kept, secret, &new)
      guard status == 202 else { return answer(status) }
    }
    if let events = kept["events"]?.array {
      guard count(events, id, &new) == 202 else { return answer(422) }
    }
    state = new
    let unread = new.inbox.unread(of: new.devices[id]?.user ?? "")
    dropped = .array((dropped.array ?? []) + badFacts)
    return answer(200, ["dropped": dropped, "unread": .integer(Int64(unread))])
  }

  /// The body with the valid events and receipts alone, and what the answer says of the others.
  private static func validFacts(of body: JSONValue) -> (JSONValue, dropped: [JSONValue]) {
    var members = body.object ?? [:]
    var dropped: [JSONValue] = []
    for (kind, member) in [("events", "name"), ("receipts", "bad")] {
      guard let facts = body[kind]?.array else { continue }
      let bad = facts.indices.filter { index in
        facts[index]["bad"] != nil || facts[index]["name"]?.string?.contains("\"") == true
      }
      dropped += bad.map { index in
        ["path": .string("$.\(kind)[\(index)].\(member)"), "reason": "is refused"]
      }
      let good = facts.indices.filter { !bad.contains($0) }.map { facts[$0] }
      members[kind] = good.isEmpty ? nil : .array(good)
    }
    return (.object(members), dropped)
  }

  private static func update(
    _ id: String, _ members: [String: JSONValue], _ request: PushRequest, _ state: inout State
  ) -> PushResponse {
    var device = state.devices[id] ?? Device()
    device.secret = device.secret ?? request.headers["Martlet-Device-Secret"]
    var dropped: [JSONValue] = []
    var validCount = 0
    func drop(_ path: String, _ reason: String) {
      dropped.append(["path": .string("$.device." + path), "reason": .string(reason)])
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != "user_attributes" {
      if key == "opened" {
        validCount += 1
        device.opens += 1
      } else if key == "tags",
        let bad = value.array?.firstIndex(where: { ($0.string ?? "").count > 255 })
      {
        drop("tags[\(bad)]", "must be at most 255 characters")
      } else {
        validCount += 1
        if key == "development" {
          drop(key, "is taken only from a push key")
        } else if ["user_id", "user_email"].contains(key), value != .null,
          !isProven(key, value, request.headers["Martlet-User-Token"], state.time)
        {
          drop(key, "is not proven")
        } else {
          device.members[key] = value == .null ? nil : value
        }
      }
    }
    let attributes = members["user_attributes"]?.object
    for (name, value) in attributes?.sorted(by: { $0.key < $1.key }) ?? [] {
      guard !name.contains("\"") else {
        drop("user_attributes['\(name)']", "must have a name without quotes")
        continue
      }
      validCount += 1
      device.attributes[name] = value == .null ? nil : value
    }
    if validCount == 0, let first = dropped.first {
      let text = "\(first["path"]?.string ?? "") \(first["reason"]?.string ?? "")"
      return PushResponse(
        status: 422, body: JSONValue.object(["error": .string(text)]).serialized())
    }
    if let token = device.members["push_token"] {
      for other in state.devices.keys where other != id {
        if state.devices[other]?.members["push_token"] == token {
          state.devices[other]?.members["push_token"] = nil
        }
      }
    }
    state.devices[id] = device
    let body: JSONValue = ["device": ["id": .string(id)], "dropped": .array(dropped)]
    return PushResponse(status: 200, body: body.serialized())
  }

  private static func isProven(
    _ key: String, _ value: JSONValue, _ proof: String?, _ time: Int64
  ) -> Bool {
    guard let proof, let bytes = Data(base64Encoded: proof),
      let claims = try? JSONValue(parsing: bytes), (claims["exp"]?.integer ?? 0) >= time
    else { return false }
    return claims[key == "user_id" ? "sub" : "email"] == value
  }

  private static func record(
    _ body: JSONValue, _ secret: String?, _ state: inout State
  ) -> Int {
    let receipts = body["receipts"]?.array ?? []
    for receipt in receipts {
      let device = state.devices[receipt["device_id"]?.string ?? ""]
      guard device?.secret == nil || device?.secret == secret else { return 403 }
    }
    guard !receipts.isEmpty, !receipts.contains(where: { $0["bad"] != nil }) else { return 422 }
    for receipt in receipts {
      // A device that is not known is passed over.
      guard let id = receipt["id"]?.string, state.devices[receipt["device_id"]?.string ?? ""] != nil
      else { continue }
      if state.receipts[id] == nil { state.receipts[id] = 1 }
    }
    return 202
  }

  private static func count(_ events: [JSONValue], _ id: String, _ state: inout State) -> Int {
    guard (1...1000).contains(events.count),
      events.allSatisfy({ event in
        guard let name = event["name"]?.string, let id = event["id"]?.string else { return false }
        return !name.isEmpty && !name.contains("\"") && (1...64).contains(id.count)
      })
    else { return 400 }
    for event in events {
      guard state.eventIDs.insert("\(id) \(event["id"]?.string ?? "")").inserted else { continue }
      let name = event["name"]?.string ?? ""
      state.devices[id]?.events[name, default: 0] += 1
      let user = state.devices[id]?.members["user_id"]?.string ?? ""
      state.devices[id]?.eventUsers[name, default: []].insert(user)
    }
    return 202
  }
}
