import PushModel
import PushPayload

/// The `activity` of a request, checked: the push, its payload, and the phones of a start.
struct NewActivityPush: Sendable {
  /// The largest number of ids in `devices`.
  static let deviceLimit = 1000
  /// The time by which a timestamp may be ahead of the server's clock.
  private static let lead = Duration.seconds(60)

  var push: ActivityPush
  /// The members from which delivery composes the payload.
  var payload: JSONValue
  /// The recipients of a start; `nil` for any other event.
  var target: Target?
  /// The JSON path of `channel_id`.
  let channelPath: String

  init(_ field: BodyValue, activity id: String, at now: Timestamp) throws(RequestError) {
    let event = try field.required("event")
    guard let known = ActivityPush.Event(rawValue: try event.string()) else {
      throw .refused(event.path, "must be one of start, update, end")
    }
    channelPath = field.path(to: "channel_id")
    push = ActivityPush(id: id, event: known, priority: 10)
    if let priority = field["priority"] {
      let number = try priority.integer(in: 1...10)
      guard number == 5 || number == 10 else { throw .refused(priority.path, "must be 5 or 10") }
      push.priority = Int(number)
    }
    if let timestamp = field["timestamp"] {
      let seconds = try timestamp.seconds()
      guard seconds <= (now + Self.lead).milliseconds / 1000 else {
        throw .refused(timestamp.path, "must not be more than a minute in the future")
      }
      push.timestamp = seconds
    }
    push.channel = try field["channel_id"]?.string()
    if known == .start {
      let type = try field.required("type")
      guard ActivityID.isType(try type.string()) else {
        throw .refused(type.path, "must be \(ActivityID.typeForm)")
      }
      push.type = type.value.string
      target = try Self.target(field, isRequired: true)
    } else if let name = ["type", "attributes", "devices", "targets"].first(where: {
      field[$0] != nil
    }) {
      throw .refused(field.path(to: name), "is for the event start")
    }
    _ = try ActivityPayload(field, for: push)
    var members = try field.object()
    for name in ["devices", "targets"] { members[name] = nil }
    payload = .object(members)
  }

  /// The phones of a start; `nil` if none are named and none need be.
  static func target(_ field: BodyValue, isRequired: Bool) throws(RequestError) -> Target? {
    switch (field["devices"], field["targets"]) {
    case (let devices?, nil):
      let elements = try devices.elements()
      guard (1...deviceLimit).contains(elements.count) else {
        throw .refused(devices.path, "must have 1 to \(deviceLimit) ids")
      }
      var ids: [Filter.Criterion] = []
      for element in elements {
        let id = try element.string()
        guard DeviceID.isValid(id) else { throw .refused(element.path, "must be \(DeviceID.form)") }
        ids.append(.equals(.string(id)))
      }
      return .filters([Filter(field: .builtIn(.deviceID), criteria: ids)])
    case (nil, let targets?): return try Target(targets)
    case (nil, nil) where !isRequired: return nil
    case (nil, nil):
      throw .refused(field.path(to: "devices"), "or targets must name the phones of a start")
    case (_?, _?):
      throw .refused(field.path(to: "targets"), "cannot stand beside devices")
    }
  }
}
