#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A keychain item with the keys of this device, which the app saves and its extension reads.
///
/// The item is a generic password in an access group of both targets, with the accessibility
/// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`: notifications arrive while the phone is locked, and a backup that is
/// restored on another phone does not bring the keys along. The item outlives the app: if the app is deleted and
/// installed again, the keys are still there.
///
/// Source: Apple, "Sharing access to keychain items among a collection of apps".
public struct DeviceKeyStore: Sendable {
  private let item: KeychainItem
  private let keychain: any Keychain

  init(_ item: KeychainItem, keychain: any Keychain) {
    self.item = item
    self.keychain = keychain
  }

  /// Reads the keys.
  ///
  /// - Returns: The keys; `nil` if none are saved.
  /// - Throws: ``KeychainError``; before the first unlock after a restart ``KeychainError/Code/locked``.
  public func read() throws(KeychainError) -> DeviceKeys? {
    let (status, data) = keychain.read(item)
    if status == KeychainStatus.itemNotFound { return nil }
    try Self.check(status, of: "SecItemCopyMatching")
    guard let data, let keys = try? JSONDecoder().decode(DeviceKeys.self, from: data) else {
      throw .malformed
    }
    return keys
  }

  /// Saves the keys, and replaces those that were saved before.
  ///
  /// - Parameter keys: The keys.
  /// - Throws: ``KeychainError``.
  public func save(_ keys: DeviceKeys) throws(KeychainError) {
    // Encoding strings cannot fail.
    let data = (try? JSONEncoder().encode(keys)) ?? Data()
    let status = keychain.add(data, as: item)
    guard status == KeychainStatus.duplicateItem else {
      return try Self.check(status, of: "SecItemAdd")
    }
    try Self.check(keychain.update(item, with: data), of: "SecItemUpdate")
  }

  /// Deletes the keys.
  ///
  /// Has no effect if none are saved.
  ///
  /// - Throws: ``KeychainError``.
  public func delete() throws(KeychainError) {
    let status = keychain.delete(item)
    if status != KeychainStatus.itemNotFound { try Self.check(status, of: "SecItemDelete") }
  }

  private static func check(_ status: Int32, of operation: String) throws(KeychainError) {
    guard status == KeychainStatus.success else {
      throw KeychainError(status: status, of: operation)
    }
  }
}

/// The attributes that identify a generic password.
struct KeychainItem: Hashable, Sendable {
  var service: String
  var account: String
  /// `nil` is the first access group of the target's entitlements.
  var accessGroup: String?
}

/// The functions of the keychain that ``DeviceKeyStore`` calls; each returns an `OSStatus`.
protocol Keychain: Sendable {
  func read(_ item: KeychainItem) -> (status: Int32, data: Data?)
  func add(_ data: Data, as item: KeychainItem) -> Int32
  func update(_ item: KeychainItem, with data: Data) -> Int32
  func delete(_ item: KeychainItem) -> Int32
}
