public import PushPayload

/// A person's tap on a notification, or on one of its buttons.
///
/// Take them from ``PushDevice/openings``.
public struct Opening: Hashable, Sendable, Identifiable {
  /// The tap's identity: the notification's request, its identifier at the server and the action.
  public let id: String
  /// The notification's identifier at the server, which the payload has as `_nid`.
  public let notificationID: String
  /// The whole payload.
  public let payload: JSONValue
  /// The identifier of the button; `nil` for the notification itself.
  public let action: String?
  /// The text that the person typed into a button's text field.
  public let text: String?

  /// The identifier of the message in the ``Inbox`` that the notification announces; `nil` if it announces no message.
  public var messageID: String? { payload["_st"]?["mid"]?.string }

  /// The deep link that the payload asks to open, by the keys of any vendor that Martlet knows; `nil` if it has no link.
  public var link: String? { DialectTable.standard.read(payload).deepLink }
}

extension Opening {
  /// Creates an opening, such as one for a preview or a test; an app gets them from ``PushDevice/openings``.
  ///
  /// - Parameters:
  ///   - notificationID: The notification's identifier at the server.
  ///   - request: The identifier of the notification's request.
  ///   - payload: The whole payload.
  ///   - action: The identifier of the button; `nil` for the notification itself.
  ///   - text: The text that the person typed.
  public init(
    notificationID: String, request: String, payload: JSONValue, action: String? = nil,
    text: String? = nil
  ) {
    id = WordHash(of: [request, notificationID, action ?? ""]).hexadecimal
    self.notificationID = notificationID
    self.payload = payload
    self.action = action
    self.text = text
  }

  /// The tap as it waits on disk until the app takes it.
  func fact(at time: Int64) -> StoredFact {
    var members: [String: JSONValue] = [
      "id": .string(id), "notification_id": .string(notificationID), "payload": payload,
      "at": .string(Milliseconds(time).text),
    ]
    members["action"] = action.map(JSONValue.string)
    members["text"] = text.map(JSONValue.string)
    members["check"] = Self.check(members)
    return StoredFact(id: id, json: .object(members))
  }

  /// A hash of the members that reveals damage: a link with one wrong letter leads elsewhere.
  private static func check(_ members: [String: JSONValue]) -> JSONValue {
    let json = JSONValue.object(members)
    // As it is read back: a number such as 1e18 then has other digits.
    let read = (try? JSONValue(parsing: json.serialized())) ?? json
    var hash = WordHash(of: [] as [String])
    hash.add(read.serialized())
    return .string(hash.hexadecimal)
  }

  /// Reads a tap that waits; `nil` if it is damaged.
  init?(_ json: JSONValue) {
    guard var members = json.object, let check = members.removeValue(forKey: "check"),
      check == Self.check(members), let id = json["id"]?.string,
      let notificationID = json["notification_id"]?.string,
      let payload = json["payload"]
    else { return nil }
    self.id = id
    self.notificationID = notificationID
    self.payload = payload
    action = json["action"]?.string
    text = json["text"]?.string
  }
}

/// A person's action on a notification, in the words of the server's receipts.
enum ReceiptEvent: String, Sendable {
  case displayed, opened, dismissed, action

  /// The receipt, in the form of the server's API and of the files that the service extension stores.
  func receipt(of notificationID: String, by device: String, at now: Int64) -> StoredFact {
    let id = WordHash(of: [notificationID, device, rawValue]).hexadecimal
    return StoredFact(
      id: id,
      json: [
        "id": .string(id), "notification_id": .string(notificationID),
        "device_id": .string(device), "event": .string(rawValue),
        "at": .string(Milliseconds(now).text),
      ])
  }
}
