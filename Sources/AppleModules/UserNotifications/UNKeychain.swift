public import Foundation

/// The keychain of a phone, as one process of it may use it.
@_spi(Host) public struct UNKeychain: Sendable {
  /// The folder with a file for each access group.
  public var folder: URL
  /// The access groups of the process's entitlements, in their order: new items belong to the first.
  public var accessGroups: [String]
  /// Whether items of a protection class can be read now.
  public var opens: @Sendable (FileProtectionType) -> Bool

  /// Creates the keychain of a process.
  ///
  /// - Parameters:
  ///   - folder: The folder with a file for each access group.
  ///   - accessGroups: The access groups of the process's entitlements, in their order.
  ///   - opens: Whether items of a protection class can be read now.
  public init(
    folder: URL, accessGroups: [String],
    opens: @escaping @Sendable (FileProtectionType) -> Bool = { _ in true }
  ) {
    (self.folder, self.accessGroups, self.opens) = (folder, accessGroups, opens)
  }
}

extension UNWorld {
  /// The keychain of the calling code; `nil` for code outside of a phone.
  public static var keychain: UNKeychain? { current.keychain ?? ofExtension?.keychain }
}
