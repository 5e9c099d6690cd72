/// What Apple does not document, or documents otherwise than it works: each a switch.
public struct HostBehavior: Hashable, Sendable {
  /// The time from launch to the end.
  ///
  /// Apple: "no more than 30 seconds". Default 30 s.
  public var timeLimit: Duration = .seconds(30)
  /// How long before the end `serviceExtensionTimeWillExpire` is called.
  ///
  /// Observed, not documented. Default 1 s.
  public var expiryGrace: Duration = .seconds(1)
  /// Whether a service extension that names categories runs for those alone.
  ///
  /// Apple's page on `categoryIdentifier` suggests it, practice contradicts it. Default off.
  public var categoryGatesServiceExtension = false
  /// Whether a message of push type `background` that carries an alert is kept from showing.
  ///
  /// Observed, not documented. Default on.
  public var enforcesPushType = true

  /// The defaults.
  public init() {}
}
