public import Foundation
public import MediaLoading
public import PushCrypto

/// The services that the engine uses: network, clock, files and cryptography.
public struct RichEnvironment: Sendable {
  /// The loader that fetches media.
  public var loader: any MediaLoader
  /// The clock for the deadline, pauses and time limits.
  public var clock: any DeliveryClock
  /// The directory for media files until the system moves them.
  ///
  /// It is created with the first file. Files that a killed extension left in it are deleted after an hour.
  public var temporaryDirectory: URL
  /// Returns the URL of a file of the extension's bundle by its relative path.
  public var bundledFile: @Sendable (String) -> URL?
  /// The app group's container, for local media, the media of templates, the badge's number and the replay window; `nil`
  /// for none.
  public var appGroupFolder: URL?
  /// The folder for the replay window if there is no app group; `nil` if the window is not stored.
  var ownFolder: URL?
  /// The categories that the extension is restricted to; empty for all.
  ///
  /// They are the value of `UNNotificationExtensionCategory` in the extension's `NSExtensionAttributes`.
  public var categories: [String]
  /// The registry for categories of the payload's buttons; `nil` shows no such buttons.
  public var categoryRegistry: (any CategoryRegistry)?
  /// Posts receipts; `nil` leaves them in the queue.
  public var poster: (any HTTPPosting)?
  /// The cryptographic primitives to check a file's SHA-256; `nil` refuses files whose payload has a digest.
  public var crypto: (any CryptoProvider)?
  /// Scales down images that are over the system's limit; `nil` refuses such images.
  public var imageReducer: (any ImageReducing)?
  /// Looks up a localized string for an encrypted payload, which the system cannot localize.
  public var localized: @Sendable (_ key: String, _ arguments: [String]) -> String? = { _, _ in nil
  }
  /// Returns the current date.
  public var date: @Sendable () -> Date = { Date() }
  /// Makes the system's attachment of a file before trace and receipt say that it is attached; `nil` makes none.
  var attach: (@Sendable (AttachedMedia) throws(MediaFailure) -> Void)?
  /// Receives the engine's decisions for a host's report, beside ``RichConfiguration/trace``.
  package var trace: (@Sendable (TraceEvent) -> Void)?
  /// Receives the result for a host's report, beside ``RichConfiguration/delivered``.
  package var delivered: (@Sendable (EnrichedContent) -> Void)?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - loader: The loader that fetches media.
  ///   - clock: The clock for the deadline, pauses and time limits.
  ///   - temporaryDirectory: The directory for media files until the system moves them.
  ///   - bundledFile: Returns the URL of a file of the extension's bundle by its relative path.
  ///   - categories: The categories that the extension is restricted to; empty for all.
  public init(
    loader: any MediaLoader, clock: any DeliveryClock = SystemDeliveryClock(),
    temporaryDirectory: URL = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
      .appending(path: "Martlet", directoryHint: .isDirectory),
    bundledFile: @escaping @Sendable (String) -> URL? = RichEnvironment.mainBundleFile,
    categories: [String] = []
  ) {
    self.loader = loader
    self.clock = clock
    self.temporaryDirectory = temporaryDirectory
    self.bundledFile = bundledFile
    self.categories = categories
  }

  /// Returns the URL of a file in the main bundle, which in an extension is the extension's bundle.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: The file's URL; `nil` if the file does not exist.
  @Sendable public static func mainBundleFile(_ name: String) -> URL? {
    Bundle.main.url(forResource: name, withExtension: nil)
  }

  /// Reads `UNNotificationExtensionCategory` from an Info.plist.
  ///
  /// - Parameter info: The extension's Info.plist; the value may be a string or an array of strings.
  /// - Returns: The categories; empty if there is no restriction.
  public static func categories(in info: [String: Any]) -> [String] {
    let attributes = (info["NSExtension"] as? [String: Any])?["NSExtensionAttributes"]
    switch (attributes as? [String: Any])?["UNNotificationExtensionCategory"] {
    case let category as String: return category.isEmpty ? [] : [category]
    case let categories as [String]: return categories.filter { !$0.isEmpty }
    default: return []
    }
  }
}
