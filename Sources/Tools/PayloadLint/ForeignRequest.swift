import PushPayload

/// A request to another push service, in a file that should have an APNs payload.
struct ForeignRequest: Sendable {
  /// The service with its article, such as "a request to the FCM HTTP v1 API".
  var name: String
  /// The path of the APNs payload inside; `nil` if the service makes it from other keys.
  var payload: String?
  /// The text to write instead, if the request contains no APNs payload.
  var remedy: String

  /// The message of a finding about the whole file.
  var message: String {
    guard let payload else { return "is \(name); \(remedy)" }
    return "is \(name); APNs takes only its \(payload)"
  }
}

extension ForeignRequest {
  /// Recognizes a request by keys that only its service has; `nil` if the payload has its own `aps`.
  init?(_ json: JSONValue) {
    guard let top = json.object, top["aps"] == nil else { return nil }
    for recognize in Self.services {
      guard let request = recognize(top) else { continue }
      self = request
      return
    }
    return nil
  }

  private typealias Members = [String: JSONValue]

  private static let services: [@Sendable (Members) -> ForeignRequest?] = [
    expo, fcmV1, fcmAdmin, fcmLegacy, oneSignal, sns, airshipOrJPush, braze, pinpoint, beams,
    pubNub, gorush, parse, azure, library, webPush,
  ]

  private static let texts =
    "write title and body in aps.alert, and its data beside aps"

  private init(_ name: String, in top: Members, at paths: [String], remedy: String = texts) {
    self.name = name
    self.remedy = remedy
    payload = paths.first { path in
      var value: JSONValue? = .object(top)
      for key in path.split(separator: ".") { value = value?[String(key)] }
      return value?["aps"]?.object != nil
    }.map { "$." + $0 }
  }

  /// Recognizes Expo's push service by the form of its tokens.
  private static func expo(_ top: Members) -> ForeignRequest? {
    let targets = top["to"]?.array ?? top["to"].map { [$0] } ?? []
    guard
      targets.contains(where: { target in
        ["ExponentPushToken[", "ExpoPushToken["].contains {
          target.string?.hasPrefix($0) ?? false
        }
      })
    else { return nil }
    return ForeignRequest("a request to Expo's push service", in: top, at: [])
  }

  private static func fcmV1(_ top: Members) -> ForeignRequest? {
    guard let message = top["message"]?.object else { return nil }
    let keys = [
      "token", "topic", "condition", "apns", "android", "webpush", "notification", "fcm_options",
    ]
    guard keys.contains(where: { message[$0] != nil }) else { return nil }
    return ForeignRequest(
      "a request to the FCM HTTP v1 API", in: top, at: ["message.apns.payload"])
  }

  /// Recognizes a message of the Firebase Admin SDK, which is that of the API without its envelope.
  private static func fcmAdmin(_ top: Members) -> ForeignRequest? {
    guard top["apns"]?["payload"] != nil || top["android"]?.object != nil,
      ["token", "tokens", "topic", "condition", "notification", "apns"].contains(where: {
        top[$0] != nil
      })
    else { return nil }
    return ForeignRequest("a message for the Firebase Admin SDK", in: top, at: ["apns.payload"])
  }

  private static func fcmLegacy(_ top: Members) -> ForeignRequest? {
    let hasTarget = top["to"]?.string != nil || top["registration_ids"]?.array != nil
    let hasOption = ["content_available", "mutable_content", "collapse_key", "time_to_live"]
      .contains { top[$0] != nil }
    guard top["notification"]?.object != nil || (hasTarget && top["data"]?.object != nil),
      hasTarget || hasOption
    else { return nil }
    return ForeignRequest("a request to the FCM legacy API, which has ended", in: top, at: [])
  }

  private static func oneSignal(_ top: Members) -> ForeignRequest? {
    guard top["app_id"] != nil,
      top.keys.contains(where: {
        ["contents", "headings", "template_id", "included_segments", "filters"].contains($0)
          || $0.hasPrefix("include_") || $0.hasPrefix("ios_")
      })
    else { return nil }
    return ForeignRequest(
      "a request to OneSignal", in: top, at: [],
      remedy: "write contents and headings in aps.alert, and data beside aps")
  }

  /// Recognizes a message of Amazon SNS, which contains the payload of each platform as a string.
  private static func sns(_ top: Members) -> ForeignRequest? {
    let platforms = top.keys.sorted().filter { $0 == "APNS" || $0.hasPrefix("APNS_") }
    if let key = platforms.first(where: { top[$0]?.string != nil || top[$0]?.object != nil }) {
      return ForeignRequest(
        "a message for Amazon SNS", in: top, at: [],
        remedy: "APNs takes only the JSON inside the string $.\(key)")
    }
    guard top["TargetArn"] ?? top["TopicArn"] != nil, top["Message"] != nil else { return nil }
    return ForeignRequest(
      "a request to Amazon SNS", in: top, at: [],
      remedy: "APNs takes only the JSON inside APNS in the string $.Message")
  }

  private static func airshipOrJPush(_ top: Members) -> ForeignRequest? {
    guard top["audience"] != nil, top["notification"]?.object != nil || top["message"] != nil else {
      return nil
    }
    if top["device_types"] != nil {
      return ForeignRequest(
        "a request to Airship", in: top, at: [],
        remedy: "write the alert of $.notification in aps.alert, and its extra beside aps")
    }
    guard top["platform"] != nil else { return nil }
    return ForeignRequest(
      "a request to JPush", in: top, at: [],
      remedy: "write the alert of $.notification.ios in aps.alert, and its extras beside aps")
  }

  private static func braze(_ top: Members) -> ForeignRequest? {
    guard let push = top["messages"]?["apple_push"]?.object ?? top["apple_push"]?.object,
      push["aps"] == nil
    else { return nil }
    return ForeignRequest(
      "a request to Braze", in: top, at: [],
      remedy: "write alert, badge and sound of apple_push in aps, and its extra beside aps")
  }

  private static func pinpoint(_ top: Members) -> ForeignRequest? {
    let request = top["MessageRequest"]?.object ?? top
    guard request["MessageConfiguration"]?.object != nil else { return nil }
    return ForeignRequest(
      "a request to Amazon Pinpoint", in: top, at: [],
      remedy: "APNs takes only the JSON inside RawContent of APNSMessage; "
        + "write Title and Body in aps.alert")
  }

  /// Recognizes a request to Pusher Beams.
  private static func beams(_ top: Members) -> ForeignRequest? {
    guard top["interests"]?.array != nil || top["users"]?.array != nil,
      top["apns"] != nil || top["fcm"] != nil || top["web"] != nil
    else { return nil }
    return ForeignRequest("a request to Pusher Beams", in: top, at: ["apns"])
  }

  private static func pubNub(_ top: Members) -> ForeignRequest? {
    guard top["pn_apns"]?.object != nil else { return nil }
    return ForeignRequest("a message for PubNub", in: top, at: ["pn_apns"])
  }

  private static func gorush(_ top: Members) -> ForeignRequest? {
    guard let first = top["notifications"]?.array?.first?.object, first["tokens"]?.array != nil,
      first["platform"] != nil
    else { return nil }
    return ForeignRequest("a request to gorush", in: top, at: [])
  }

  private static func parse(_ top: Members) -> ForeignRequest? {
    guard top["where"]?.object != nil || top["channels"]?.array != nil,
      let data = top["data"]?.object, data["alert"] != nil || data["content-available"] != nil
    else { return nil }
    return ForeignRequest(
      "a push of Parse Server", in: top, at: [],
      remedy: "write alert, badge and sound of $.data in aps, and the rest beside aps")
  }

  private static func azure(_ top: Members) -> ForeignRequest? {
    guard top["installationId"] != nil, top["pushChannel"] != nil else { return nil }
    return ForeignRequest(
      "an installation of Azure Notification Hubs", in: top, at: [],
      remedy: "write the payload that is sent to it")
  }

  /// Recognizes the input or the journal of an APNs library: the payload beside the token and the headers.
  private static func library(_ top: Members) -> ForeignRequest? {
    let companions = [
      "deviceToken", "device_token", "deviceTokens", "device_tokens", "device", "devices", "token",
      "tokens", "topic", "headers", "pushType", "push_type", "bundleId", "to", "options", "Topic",
      "DeviceToken", "apns-topic",
    ]
    guard companions.contains(where: { top[$0] != nil }) else { return nil }
    let paths = ["payload", "Payload", "notification", "rawPayload", "body", "message", "data"]
    let request = ForeignRequest("an argument of an APNs library", in: top, at: paths)
    return request.payload == nil ? nil : request
  }

  private static func webPush(_ top: Members) -> ForeignRequest? {
    guard let notification = top["notification"]?.object else { return nil }
    let keys = ["icon", "vibrate", "requireInteraction", "actions", "navigate", "tag"]
    guard top["web_push"] != nil || keys.contains(where: { notification[$0] != nil }) else {
      guard notification["title"] != nil || notification["body"] != nil,
        Set(top.keys).isSubset(of: ["notification", "data", "priority"])
      else { return nil }
      return ForeignRequest("a notification for FCM, without its target", in: top, at: [])
    }
    return ForeignRequest("a message for Web Push", in: top, at: [])
  }
}
