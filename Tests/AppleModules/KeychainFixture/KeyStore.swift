import Foundation
import Security

// As in an app's project: the file belongs to the app and to its extension.

/// The key with which the server encrypts, as an app stores it for its extension.
public struct KeyStore {
  private let query: [String: Any]

  /// - Parameter accessGroup: The access group of app and extension; `nil` for the first of each.
  public init(accessGroup: String?) {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "push-key",
      kSecAttrAccount as String: "device",
    ]
    if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
    self.query = query
  }

  /// Stores a key, in place of an older one.
  public func save(_ key: Data, accessible: CFString) -> OSStatus {
    SecItemDelete(query as CFDictionary)
    var item = query
    item[kSecValueData as String] = key
    item[kSecAttrAccessible as String] = accessible
    return SecItemAdd(item as CFDictionary, nil)
  }

  /// Reads the key.
  public func read() -> (status: OSStatus, key: Data?) {
    var query = query
    query[kSecReturnData as String] = kCFBooleanTrue
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    return (status, item as? Data)
  }
}
