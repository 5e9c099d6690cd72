public import Foundation

/// Apple's push host that a build's tokens belong to.
///
/// A token of a development build is valid only at Apple's development host; the other host rejects it as a
/// `BadDeviceToken`. The token itself does not show which host it belongs to.
public enum PushGateway: String, Hashable, Sendable {
  /// Builds that Xcode installs.
  case development
  /// TestFlight and the App Store.
  case production

  /// Finds the gateway by the provisioning profile in the app's bundle.
  ///
  /// The profile's entitlement `aps-environment` decides. Builds of the App Store have no profile, so none means
  /// production.
  ///
  /// - Parameter profile: The content of `embedded.mobileprovision`, on the Mac `embedded.provisionprofile`; `nil` if
  ///   the bundle has none.
  public init(profile: Data?) {
    self = profile.flatMap(Self.entitlement) ?? .production
  }

  /// Reads the entitlement of a profile: a signed message (CMS, RFC 5652) with a property list inside, as text.
  private static func entitlement(of profile: Data) -> PushGateway? {
    // The signature around the text is binary.
    let text = String(decoding: profile, as: UTF8.self)
    for key in ["aps-environment", "com.apple.developer.aps-environment"] {
      let parts = text.components(separatedBy: "<key>\(key)</key>")
      guard parts.count > 1 else { continue }
      let value = parts[1].components(separatedBy: "</string>")[0]
      guard value.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("<string>") else {
        continue
      }
      return value.hasSuffix(">development") ? .development : .production
    }
    return nil
  }
}
