/// The push tokens of widgets and controls, and the pushes that are counted for each.
package protocol ReloadStore: Sendable {
  /// Replaces all tokens of a type of a device.
  ///
  /// A token belongs to the device that registered it last. One that the device had before keeps its count.
  ///
  /// - Returns: `false` if the device does not exist.
  /// - Throws: ``StoreError/Code/erased`` if the device was erased.
  func setReloadTokens(
    _ tokens: [ReloadToken], of type: ReloadType, device: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool
  /// The tokens of some devices, ordered by device, type and token.
  func reloadTokens(
    of devices: DeviceNumbers, app: String
  ) async throws(StoreError) -> [StoredReloadToken]
  /// The devices that have a token of a type, and with `kinds` a token of a control of one of these kinds.
  func devices(
    withReloads type: ReloadType, kinds: [String]?, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// Counts a push to each token of some devices, and returns all of these tokens.
  ///
  /// A token that has had ``ReloadBudget/limit`` pushes in its ``ReloadBudget/window`` is not counted.
  func countReloads(
    _ type: ReloadType, kinds: [String]?, of devices: DeviceNumbers, app: String, at now: Timestamp
  ) async throws(StoreError) -> [ReloadTarget]
  /// Stores the answers to counted pushes.
  ///
  /// A push that APNs did not accept is not counted any more. A token that is gone is removed, unless the device has
  /// registered it again since.
  func finishReloads(
    _ outcomes: [ReloadOutcome], of type: ReloadType, app: String
  ) async throws(StoreError)
}

/// A token that a push may go to.
package struct ReloadTarget: Hashable, Sendable {
  /// The device's number and id.
  package var device: UInt32
  package var deviceID: String
  package var isDevelopment: Bool
  package var token: String
  /// Whether the token has had its reloads of the day, so that nothing is sent.
  package var isHeld: Bool

  package init(
    device: UInt32, deviceID: String, isDevelopment: Bool, token: String, isHeld: Bool = false
  ) {
    self.device = device
    self.deviceID = deviceID
    self.isDevelopment = isDevelopment
    self.token = token
    self.isHeld = isHeld
  }
}

/// The answer to a push that reloads widgets or a control.
package struct ReloadOutcome: Hashable, Sendable {
  package var target: ReloadTarget
  package var result: Result
  /// The HTTP status of APNs' answer; `nil` if APNs did not answer.
  package var status: Int?
  /// The reason in APNs' answer, or the reason for which no push was sent.
  package var reason: String?
  /// The time at which APNs found the token inactive, in a 410.
  package var goneSince: Timestamp?
  /// The token's environment, if it is not the device's: `true` for development.
  package var learnedDevelopment: Bool?
  /// Whether APNs may have accepted the push, whose answer was lost.
  package var mayHaveArrived = false

  package enum Result: String, CaseIterable, Sendable {
    /// APNs has accepted the push.
    case sent
    /// The token has had its reloads of the day.
    case held
    /// The token is no longer valid, and is removed.
    case gone
    /// Any other failure; the token stays.
    case failed
  }

  package init(
    _ target: ReloadTarget, _ result: Result, status: Int? = nil, reason: String? = nil
  ) {
    self.target = target
    self.result = result
    self.status = status
    self.reason = reason
  }
}
