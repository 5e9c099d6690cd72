/// Live Activities: the push tokens of devices, what was sent, and broadcast channels.
///
/// A push to an activity is a ``Send`` with an ``ActivityPush``, which ``SendStore`` accepts.
package protocol ActivityStore: Sendable {
  /// Stores a token in place of the device's older one for the same subject.
  ///
  /// The same token of another device or for another subject is removed, and so is the device's
  /// oldest token beyond ``ActivityToken/limit``.
  ///
  /// - Returns: `false` where there is no such device.
  /// - Throws: ``StoreError/Code/erased`` where the device was erased.
  func register(
    _ token: ActivityToken, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool
  /// Removes the token of a device for a subject; with a `token`, only if it is this one.
  func removeToken(
    for subject: ActivityToken.Subject, device: String, only token: String?, app: String
  ) async throws(StoreError)
  /// The devices that have a token for a subject.
  func devices(
    with subject: ActivityToken.Subject, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// A Live Activity; `nil` where no device has a token of it and nothing was sent to it.
  func activity(
    _ id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Activity?
  /// The activities of an app to which something was sent, the last one first.
  func activities(
    app: String, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [Activity]
  /// Stores a channel that was created at Apple.
  ///
  /// - Throws: ``StoreError/Code/notFound`` where there is no such app.
  func add(_ channel: Channel) async throws(StoreError)
  /// The channels of an app, the newest first.
  func channels(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Channel>
  /// A channel by Apple's id; `nil` where there is none.
  func channel(_ id: String, app: String) async throws(StoreError) -> Channel?
  /// Removes a channel; `false` where there is none.
  func removeChannel(_ id: String, app: String) async throws(StoreError) -> Bool
}
