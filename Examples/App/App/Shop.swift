import Foundation

/// What the app knows of itself and of its servers.
nonisolated enum Shop {
  // swift-format-ignore: NeverForceUnwrap
  static let pushServer = URL(string: "https://push.example.com")!
  /// The key of role `device`; builds for debugging have one of their own.
  static let deviceKey = "DEVICE_KEY"
  /// The folder that the app shares with its extension; a missing group is a mistake in the project.
  // swift-format-ignore: NeverForceUnwrap
  static let appGroupFolder = FileManager.default
    .containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.shop")!

  /// Whether the person has agreed that the server knows the device.
  static var hasConsent: Bool {
    get { UserDefaults.standard.bool(forKey: "hasConsent") }
    set { UserDefaults.standard.set(newValue, forKey: "hasConsent") }
  }

  /// A user token, which the shop's own server signs for a person who has signed in there.
  static func userToken(for user: String) async throws -> String {
    // swift-format-ignore: NeverForceUnwrap
    let url = URL(string: "https://shop.example.com/push-token")!.appending(component: user)
    let (data, _) = try await URLSession.shared.data(from: url)
    return String(decoding: data, as: UTF8.self)
  }
}
