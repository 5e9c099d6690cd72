/// Live Activities: the push tokens of devices, the sent pushes, and broadcast channels.
///
/// A push to an activity is a ``Send`` with an ``ActivityPush``, which ``SendStore`` accepts.
package protocol ActivityStore: Sendable {
  /// Stores a token in place of the device's older one for the same subject.
  ///
  /// The store removes the same token of another device or for another subject, and the device's oldest token beyond
  /// ``ActivityToken/limit``.
  ///
  /// - Returns: `false` if the device does not exist.
  /// - Throws: ``StoreError/Code/erased`` if the device was erased.
  func register(
    _ token: ActivityToken, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool
  /// Removes the token of a device for a subject. With `token`, only that token is removed.
  func removeToken(
    for subject: ActivityToken.Subject, device: String, only token: String?, app: String
  ) async throws(StoreError)
  /// The devices that have a token for a subject.
  func devices(
    with subject: ActivityToken.Subject, app: String
  ) async throws(StoreError) -> DeviceNumbers
  /// A Live Activity; `nil` if no device has a token of it and no push was sent to it.
  func activity(
    _ id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Activity?
  /// The activities of an app that a push was sent to, the most recently pushed first.
  func activities(
    app: String, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [Activity]
  /// Stores a channel that was created at Apple.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the app does not exist.
  func add(_ channel: Channel) async throws(StoreError)
  /// The channels of an app, the newest first.
  func channels(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Channel>
  /// A channel by Apple's id; `nil` if the app has no such channel.
  func channel(_ id: String, app: String) async throws(StoreError) -> Channel?
  /// Removes a channel; `false` if the app has no such channel.
  func removeChannel(_ id: String, app: String) async throws(StoreError) -> Bool
}
