public import Foundation
public import MediaLoading
public import PushCrypto

/// The world around the engine: network, clock, files.
public struct RichEnvironment: Sendable {
  /// What fetches media.
  public var loader: any MediaLoader
  /// What tells the time.
  public var clock: any DeliveryClock
  /// Where files are written before the system takes them.
  public var temporaryDirectory: URL
  /// Finds a file of the app's bundle by its path below it.
  public var bundledFile: @Sendable (String) -> URL?
  /// The app group's folder: local media are looked for there too, and the badge's number is kept there.
  ///
  /// `nil` for none.
  public var appGroupFolder: URL?
  /// The categories that the extension is restricted to; empty for all.
  ///
  /// They stand under `UNNotificationExtensionCategory` in the extension's `NSExtensionAttributes`.
  public var categories: [String]
  /// What makes buttons known to the system; `nil` where the payload's buttons are not shown.
  public var categoryRegistry: (any CategoryRegistry)?
  /// What posts receipts; `nil` leaves them in the queue.
  public var poster: (any HTTPPosting)?
  /// What checks a file's SHA-256; `nil` refuses files that name one.
  public var crypto: (any CryptoProvider)?
  /// What makes an image smaller that is over the system's limit; `nil` refuses such images.
  public var imageReducer: (any ImageReducing)?
  /// Looks up a localised text of an encrypted payload, which the system has not seen; `nil` for none.
  public var localized: @Sendable (_ key: String, _ arguments: [String]) -> String? = { _, _ in nil
  }
  /// What tells the date.
  public var date: @Sendable () -> Date = { Date() }

  /// Makes an environment.
  ///
  /// - Parameters:
  ///   - loader: What fetches media.
  ///   - clock: What tells the time.
  ///   - temporaryDirectory: Where files are written.
  ///   - bundledFile: Finds a file of the app's bundle by its name.
  ///   - categories: The categories that the extension is restricted to; empty for all.
  public init(
    loader: any MediaLoader, clock: any DeliveryClock = SystemDeliveryClock(),
    temporaryDirectory: URL = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true),
    bundledFile: @escaping @Sendable (String) -> URL? = RichEnvironment.mainBundleFile,
    categories: [String] = []
  ) {
    self.loader = loader
    self.clock = clock
    self.temporaryDirectory = temporaryDirectory
    self.bundledFile = bundledFile
    self.categories = categories
  }

  /// Finds a file in the main bundle, which in an extension is the extension's own.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: Where it lies.
  public static func mainBundleFile(_ name: String) -> URL? {
    Bundle.main.url(forResource: name, withExtension: nil)
  }

  /// Reads the category restriction from an Info.plist.
  ///
  /// - Parameter info: The extension's Info.plist; the value may be a string or an array of strings.
  /// - Returns: The categories; empty where there is no restriction.
  public static func categories(in info: [String: Any]) -> [String] {
    let attributes = (info["NSExtension"] as? [String: Any])?["NSExtensionAttributes"]
    switch (attributes as? [String: Any])?["UNNotificationExtensionCategory"] {
    case let category as String: return category.isEmpty ? [] : [category]
    case let categories as [String]: return categories.filter { !$0.isEmpty }
    default: return []
    }
  }
}
