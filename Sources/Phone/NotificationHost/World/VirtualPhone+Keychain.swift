import Foundation
@_spi(Host) import UserNotifications

extension VirtualPhone.App {
  /// The application identifiers of the app and of its extension, each of which is an access group of its own.
  private static let identifiers = (
    app: "A1B2C3D4E5.com.example.app", extension: "A1B2C3D4E5.com.example.app.extension"
  )

  /// The phone's keychain as the extension may use it.
  var extensionKeychain: UNKeychain {
    keychain(entitlements.extensionKeychainGroups, own: Self.identifiers.extension)
  }

  /// The phone's keychain as the app may use it.
  var appKeychain: UNKeychain {
    keychain(entitlements.appKeychainGroups, own: Self.identifiers.app)
  }

  /// The order of the groups is that of Apple, "Sharing access to keychain items among a collection of apps".
  private func keychain(_ groups: [String], own: String) -> UNKeychain {
    UNKeychain(
      folder: container.appending(path: "Keychain", directoryHint: .isDirectory),
      accessGroups: groups + [own] + [appGroupIdentifier].compactMap(\.self),
      opens: lockState.opens)
  }
}

extension VirtualPhone {
  /// Runs code of the app on this phone, such as the code that stores a key for the extension.
  ///
  /// The code has the phone's keychain with the app's access groups, the container of the app group, the notification
  /// center and the network. Its own folders are in the folder `App` of ``App/container``.
  ///
  /// - Parameter body: The code.
  /// - Returns: The result of the code.
  /// - Throws: The error of the code.
  public func runApp<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    var app = app
    app.container.append(path: "App", directoryHint: .isDirectory)
    app.temporaryDirectory = app.container.appending(path: "tmp", directoryHint: .isDirectory)
    try? FileManager.default.createDirectory(
      at: app.temporaryDirectory, withIntermediateDirectories: true)
    app.extensionBundle = app.bundle
    var world = UNWorld(app: app, clock: clock, behavior: behavior)
    world.keychain = self.app.appKeychain
    return try await world.run(body)
  }
}
