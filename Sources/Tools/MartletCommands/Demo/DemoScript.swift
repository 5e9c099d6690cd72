import PushPayload

/// The devices of the demo and the notifications that they receive.
enum DemoScript {
  struct Device: Sendable {
    var id: String
    /// The type of the media that the phone should show; `nil` if no push should arrive.
    var shows: String?
    var tags: [JSONValue] = []
    var attributes: JSONValue = [:]
    /// The user who signs in to an app with MartletKit; `nil` if one request registers the device.
    var userID: String?

    /// A push token in hexadecimal with the length of a real one: the id, followed by zeros.
    var token: String { tokenBytes.hexadecimal }

    var tokenBytes: [UInt8] { Array((Array(id.utf8) + Array(repeating: 0, count: 32)).prefix(32)) }

    var registration: JSONValue {
      let device: JSONValue = [
        "push_token": .string(token), "platform": "iOS", "push_enabled": true,
        "tags": .array(tags), "user_attributes": attributes,
      ]
      return ["device": device]
    }
  }

  struct Request: Sendable {
    var path: String
    var title: String
    /// The id of the device that receives it.
    var device: String
    var body: JSONValue
  }

  static let devices = [
    Device(
      id: "weather-watcher", shows: "com.compuserve.gif",
      attributes: ["forecast_user": ["type": "boolean", "value": true]]),
    Device(
      id: "gold-member", shows: "public.mpeg-4", tags: ["tag1"],
      attributes: ["mykey": ["type": "string", "value": "tag2"]]),
    Device(id: "hiker", shows: "public.png", userID: "hiker-1"),
    Device(
      id: "somebody-else", tags: ["tag1"],
      attributes: ["forecast_user": ["type": "boolean", "value": false]]),
  ]

  /// The requests, which use the URLs of media by their names.
  static func requests(media: [String: String]) -> [Request] {
    func url(_ name: String) -> JSONValue { media[name].map(JSONValue.string) ?? .null }
    return [
      Request(
        path: "/v5/notifications", title: "forecast, to custom.boolean.forecast_user",
        device: "weather-watcher",
        body: notification(
          to: [["name": "custom.boolean.forecast_user", "criteria": [true]]],
          [
            "alert": "Rain until noon, sun by four. It stays mild; take a light jacket.",
            "title": "Today’s forecast", "badge": 1, "sound": "Default.caf",
            "mutable_content": true, "image_url": url("cloudy.gif"),
          ])),
      Request(
        path: "/v4/notifications", title: "video, to tags and custom.string.mykey",
        device: "gold-member",
        body: notification(
          to: [
            ["name": "tags", "criteria": ["tag1"]],
            ["name": "custom.string.mykey", "criteria": ["tag2"]],
          ],
          [
            "alert": "Your gold status comes with a film. Press and hold to watch it.",
            "title": "Welcome to Gold", "badge": 1, "category": "LOYALTY_MESSAGE",
            "sound": "Default.caf",
            "mutable_content": true, "video_url": url("gold.mp4"),
          ])),
      Request(
        path: "/v6/notifications", title: "picture under _st, to user_id", device: "hiker",
        body: notification(
          to: [["name": "user_id", "criteria": ["hiker-1"]]],
          [
            "alert": "Sunset over the valley is at 20:14. The path to the lake is dry.",
            "title": "A good evening for a walk", "subtitle": "Clear until midnight",
            "mutable_content": true, "_st": ["image_url": url("picture.png")],
          ])),
    ]
  }

  /// The inbox message for the user of the app.
  static func message(for user: String, media: [String: String]) -> JSONValue {
    let picture = media["picture.png"].map(JSONValue.string) ?? .null
    return [
      "message": [
        "to": [["name": "user_id", "criteria": [.string(user)]]], "title": "Where to go tonight",
        "text": "Five walks that end at a lake before the sun is down.", "card_image_url": picture,
      ]
    ]
  }

  private static func notification(to: JSONValue, _ payload: JSONValue) -> JSONValue {
    ["notification": ["to": to, "payload": payload]]
  }
}
