import PushPayload
import PushStore

/// To whom a test is sent: one device, or a test audience.
struct TestTarget: Sendable {
  /// Why nothing would arrive.
  struct Refusal: Error {
    var message: String
  }

  /// The most devices of a test by a person who may not send to an audience.
  static let limitOfAuthors = 50

  /// The `to` of the API request.
  var target: JSONValue
  /// The audience, by which the send is known as a test.
  var audience: Audience
  /// The number of devices that a push reaches.
  var reached: Int

  /// Finds the device or the test audience with an id.
  ///
  /// - Throws: ``Refusal`` where nothing would arrive.
  init(_ id: String, _ request: PageRequest) async throws {
    guard !id.isEmpty else {
      throw Refusal(message: "Enter the ID of a test device or a test audience.")
    }
    if let known = try await request.api.store.audience(id, app: request.app.id) {
      guard known.isTest else {
        throw Refusal(message: "This audience is not a test audience. Mark it as one first.")
      }
      (target, audience) = (.string(id), known)
    } else {
      let device = try await request.api.store.device(id, app: request.app.id)
      guard let device, device.erasedAt == nil else {
        throw Refusal(message: "No test audience and no device has the ID “\(id)”.")
      }
      if let reason = device.reasonAgainstPush { throw Refusal(message: reason) }
      audience = Audience(
        id: Identifiers.makeObjectID(), app: request.app.id,
        filters: [Filter(field: .builtIn(.deviceID), criteria: [.equals(.string(id))])],
        createdAt: request.now)
      audience.isTest = true
      target = [["name": "device_id", "criteria": [.string(id)]]]
    }
    reached = try await request.api.audiences.devices(of: audience, at: request.now).count
    guard reached > 0 else {
      throw Refusal(message: "No device of this audience can receive pushes.")
    }
    // Any audience can be marked as one for tests.
    guard request.may(.send) || reached <= Self.limitOfAuthors else {
      throw Refusal(
        message:
          "Your role may test on \(Self.limitOfAuthors) devices at most; this audience has \(reached)."
      )
    }
  }
}

extension Device {
  /// Why no push can be sent to the device; `nil` where one can.
  fileprivate var reasonAgainstPush: String? {
    if uninstalledAt != nil { return "The app was removed from this device." }
    if !isPushEnabled { return "Notifications are turned off on this device." }
    if token == nil { return "This device has no push token and cannot receive pushes." }
    return platform == "iOS" ? nil : "This device runs \(platform), to which no push is sent."
  }
}
