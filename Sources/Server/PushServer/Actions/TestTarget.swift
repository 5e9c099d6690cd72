import PushModel
import PushPayload

/// The target of a test: some devices, or a test audience.
struct TestTarget: Sendable {
  /// The ``RequestError/path`` of each refusal, which is the field of the forms.
  ///
  /// The code is `notFound` for an unknown device, `conflict` for one that no push reaches, and `invalid` for no id or
  /// an audience that is not for tests. It is `forbidden` for too many devices in a test, and `tooMany` in an hour.
  static let field = "test_device"

  static func refusal(
    _ code: RequestError.Code, _ message: String, wait: Int? = nil
  ) -> RequestError {
    RequestError(code, message, at: field, wait: wait)
  }

  /// The largest number of devices in a test that names them.
  static let deviceLimit = 20

  /// The `to` of the API request.
  var target: JSONValue
  /// The audience, which marks the send as a test.
  var audience: Audience
  /// The devices that the test reaches.
  ///
  /// They are kept, since an audience that the target refers to may be edited after they were counted.
  var devices: DeviceNumbers
  /// The number of devices that the test reaches.
  var reached: Int { devices.count }

  /// Finds the device or the test audience with an id; an in-app message needs no push.
  ///
  /// - Throws: ``RequestError`` at ``field`` if nothing would arrive.
  init(
    _ id: String, app: String, at now: Timestamp, needsPush: Bool = true, _ actions: Actions
  ) async throws {
    guard !id.isEmpty else {
      throw Self.refusal(.invalid, "Enter the ID of a test device or a test audience.")
    }
    guard let known = try await actions.store.audience(id, app: app) else {
      try await self.init(devices: [id], app: app, at: now, needsPush: needsPush, actions)
      return
    }
    guard known.isTest else {
      throw Self.refusal(.invalid, "This audience is not a test audience. Mark it as one first.")
    }
    try await self.init(.string(id), audience: known, at: now, needsPush: needsPush, actions)
  }

  /// Finds the devices with some ids.
  ///
  /// - Throws: ``RequestError`` at ``field`` if one of them would get nothing.
  init(
    devices ids: [String], app: String, at now: Timestamp, needsPush: Bool = true,
    _ actions: Actions
  ) async throws {
    for id in ids {
      let device = try await actions.store.device(id, app: app)
      guard let device, device.erasedAt == nil else {
        let form = PushToken.foreignForm(of: id).map { " The text is \($0.name)." } ?? ""
        throw Self.refusal(
          .notFound, "No test audience and no device has the ID “\(id.prefix(64))”.\(form)")
      }
      if needsPush, let reason = device.reasonAgainstPush {
        throw Self.refusal(.conflict, ids.count > 1 ? "\(reason) Its ID is “\(id)”." : reason)
      }
    }
    var audience = Audience(
      id: Identifiers.makeObjectID(), app: app,
      filters: [Filter(field: .builtIn(.deviceID), criteria: ids.map { .equals(.string($0)) })],
      createdAt: now)
    audience.isTest = true
    try await self.init(
      [["name": "device_id", "criteria": .array(ids.map(JSONValue.string))]], audience: audience,
      at: now, needsPush: needsPush, actions)
  }

  private init(
    _ target: JSONValue, audience: Audience, at now: Timestamp, needsPush: Bool, _ actions: Actions
  ) async throws {
    let devices =
      needsPush
      ? try await actions.audiences.devices(of: audience, at: now)
      : try await actions.audiences.members(of: audience, at: now)
    guard !devices.isEmpty else {
      throw Self.refusal(
        .conflict,
        needsPush
          ? "No device of this audience can receive pushes." : "This audience has no device.")
    }
    (self.target, self.audience, self.devices) = (target, audience, devices)
  }
}

extension Device {
  /// The reason why no push can be sent to the device; `nil` if one can.
  fileprivate var reasonAgainstPush: String? {
    if uninstalledAt != nil { return "The app was removed from this device." }
    if !isPushEnabled { return "Notifications are turned off on this device." }
    if token == nil { return "This device has no push token and cannot receive pushes." }
    return platform == "iOS" ? nil : "This device runs \(platform), to which no push is sent."
  }
}
