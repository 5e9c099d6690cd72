/// The number of devices in an audience.
package struct AudienceCount: Hashable, Sendable {
  /// The devices that have the app.
  package var targeted = 0
  /// The targeted devices that a push can reach.
  package var pushEnabled = 0
  /// The reachable devices to which pushes are delivered quietly (provisional authorization).
  package var quiet = 0

  package init(targeted: Int, pushEnabled: Int, quiet: Int = 0) {
    self.targeted = targeted
    self.pushEnabled = pushEnabled
    self.quiet = quiet
  }
}
