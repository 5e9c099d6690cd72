/// The pushes that are kept for a device that is offline.
///
/// Apple's pages differ, so that a provider should be tested with both. ``last`` is the default, because it is what Apple's
/// page of today and the newest observations say: a provider that works with it loses nothing with ``several``.
public enum OfflineStorage: String, CaseIterable, Hashable, Sendable {
  /// One push of each app, the latest.
  ///
  /// Source: Apple, "Sending notification requests to APNs", read in 2026: one notification of a bundle ID, in most cases the
  /// latest. An engineer of Apple says the same (developer forums, thread 775455). Pushes of a messenger without
  /// collapse identifiers were seen to behave so (element-hq/element-x-ios 5055, February 2026).
  case last
  /// One push of each app without a collapse identifier, and one of each collapse identifier.
  ///
  /// Source: Apple, "User Notifications updates", June 2024: several notifications of a bundle ID are stored, which the
  /// header `apns-collapse-id` enables. That each identifier has a place of its own is how this sandbox reads it.
  case several
}
