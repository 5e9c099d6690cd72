import PushModel
import PushPayload

/// The form for an app: the submitted fields, or else the app's settings.
struct AppForm: Sendable {
  var name: String
  var bundleID: String
  var teamID: String
  var keyID: String
  var throttle: String
  /// The text of the chosen .p8 file.
  var privateKey: String?
  /// Whether the key is saved without verifying it with APNs.
  var isUnverified: Bool

  init(_ form: Form, _ app: App?, action: String) {
    let isSubmitted = form.isOf(action)
    let form = isSubmitted ? form : Form()
    name = form["name"] ?? app?.name ?? ""
    bundleID = form["bundle_id"] ?? app?.bundleID ?? ""
    teamID = form["team_id"] ?? app?.teamID ?? ""
    keyID = form["key_id"] ?? app?.keyID ?? ""
    let throttle = isSubmitted ? nil : app?.throttlePerSecond.map { String($0) }
    self.throttle = form["throttle"] ?? throttle ?? ""
    privateKey = form.files.first { $0.name == "key_file" }
      .map { String(decoding: $0.bytes, as: UTF8.self) }
    isUnverified = form["unverified"] != nil
  }

  /// The body of the change, whose values the action checks.
  var body: BodyValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "bundle_id": .string(bundleID), "team_id": .string(teamID),
      "key_id": .string(keyID), "throttle_per_second": .null, "verify": .bool(!isUnverified),
    ]
    if !throttle.isEmpty {
      members["throttle_per_second"] = Int64(throttle).map(JSONValue.integer) ?? .string(throttle)
    }
    members["private_key"] = privateKey.map(JSONValue.string)
    return BodyValue(.object(members), at: "$.app")
  }
}
