import PushModel
import PushPayload

/// The body of a transactional request, checked: a payload for one user or device, and its group in reports.
struct NewTransactional: Sendable {
  /// The time for which the send is tried before it is canceled.
  ///
  /// The answer waits for the pushes in flight, which may take the APNs client as long again.
  static let timeout = Duration.seconds(25)
  /// The time for which pushes in flight are waited for: longer than a lease, in case their node dies.
  static let inFlightTimeout = Duration.seconds(90)

  var group: String
  var payload: BodyValue
  /// Whether the payload is sent although `martlet lint` calls it an error.
  var isForced: Bool
  /// The conditions on the recipient.
  var filters: [Filter]

  /// Reads and checks a request; `isJudged` refuses what `martlet lint` calls an error.
  init(_ body: BodyValue, at now: Timestamp, isJudged: Bool) throws(RequestError) {
    group = try Self.group(try body.required("group"))
    let notification = try body.required("notification")
    payload = try notification.required("payload")
    isForced = try notification["force"]?.bool() ?? false
    try payload.judged(at: now, isForced: isForced || !isJudged)
    filters = try Self.filters(body)
  }

  static func isGroup(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9-]{3,64}/) != nil
  }

  private static func group(_ field: BodyValue) throws(RequestError) -> String {
    let group = try field.string()
    guard isGroup(group) else {
      throw .refused(field.path, "must be 3 to 64 letters, digits and hyphens")
    }
    return group
  }

  private static let fields: [String: Filter.Field] = [
    "device_id": .builtIn(.deviceID), "user_id": .builtIn(.userID),
    "user_email": .builtIn(.userEmail), "sid": .attribute(.string, name: "sid"),
  ]

  private static func filters(_ body: BodyValue) throws(RequestError) -> [Filter] {
    let to = try body.required("to")
    let name = try to.required("field")
    guard let field = fields[try name.string()], field != .builtIn(.userEmail) else {
      throw .refused(name.path, "must be one of device_id, user_id, sid")
    }
    let value = try to.required("value")
    let text = try value.string()
    guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
      throw .refused(value.path, "must be at most \(DevicePatchReader.textLimit) characters")
    }
    var filters = [Filter(field: field, criteria: [.equals(.string(text))])]
    let extra = try body["extra_filters"]?.elements() ?? []
    guard extra.count <= 100 else {
      throw .refused(body.path(to: "extra_filters"), "must have at most 100 filters")
    }
    for element in extra {
      let name = try element.required("name")
      guard let field = fields[try name.string()] else {
        throw .refused(name.path, "must be one of device_id, sid, user_id, user_email")
      }
      filters.append(try Filter(element, on: field))
    }
    return filters
  }
}
