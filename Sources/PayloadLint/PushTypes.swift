/// What Apple says of each value of `apns-push-type`.
///
/// Source: Apple, "Sending notification requests to APNs".
package enum PushTypes {
  /// What the topic ends in, by the push type; empty for the bundle id itself.
  package static let topicSuffixes: [String: String] = [
    "alert": "", "background": "", "complication": ".complication",
    "controls": ".push-type.controls", "fileprovider": ".pushkit.fileprovider",
    "liveactivity": ".push-type.liveactivity", "location": ".location-query", "mdm": "",
    "pushtotalk": ".voip-ptt", "voip": ".voip", "widgets": ".push-type.widgets",
  ]

  package static var all: [String] { topicSuffixes.keys.sorted() }

  /// The priorities that a type may have.
  static func priorities(of type: String?) -> [String] {
    switch type {
    case "background": ["5", "1"]
    case "liveactivity": ["10", "5"]
    default: ["10", "5", "1"]
    }
  }
}
