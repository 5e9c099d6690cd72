#if canImport(Darwin) && canImport(Security)
  import Foundation
  import Security

  extension DeviceKeyStore {
    /// Creates a store.
    ///
    /// ```swift
    /// let store = DeviceKeyStore(accessGroup: "group.com.example.app")
    /// ```
    ///
    /// - Parameters:
    ///   - accessGroup: An access group that the app and the extension share: the identifier of their app group, or a
    ///     group of `keychain-access-groups` with its team prefix. `nil` is the first group of each target's entitlements,
    ///     which is the target's own group if the target has no capability for sharing.
    ///   - service: The item's service.
    ///   - account: The item's account, for an app with several sets of keys.
    public init(
      accessGroup: String?, service: String = "martlet-device-keys", account: String = "device"
    ) {
      self.init(
        KeychainItem(service: service, account: account, accessGroup: accessGroup),
        keychain: SystemKeychain())
    }
  }

  /// The keychain of the system.
  private struct SystemKeychain: Keychain {
    func read(_ item: KeychainItem) -> (status: Int32, data: Data?) {
      var query = attributes(of: item)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      return (status, result as? Data)
    }

    func add(_ data: Data, as item: KeychainItem) -> Int32 {
      SecItemAdd(attributes(of: item).merging(content(data)) { $1 } as CFDictionary, nil)
    }

    func update(_ item: KeychainItem, with data: Data) -> Int32 {
      SecItemUpdate(attributes(of: item) as CFDictionary, content(data) as CFDictionary)
    }

    func delete(_ item: KeychainItem) -> Int32 {
      SecItemDelete(attributes(of: item) as CFDictionary)
    }

    private func attributes(of item: KeychainItem) -> [CFString: Any] {
      var attributes: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: item.service,
        kSecAttrAccount: item.account,
        // On macOS, the keychain that has access groups and accessibility.
        kSecUseDataProtectionKeychain: true,
      ]
      if let group = item.accessGroup { attributes[kSecAttrAccessGroup] = group }
      return attributes
    }

    /// An update also sets the accessibility, because an older item may have been saved with another one.
    private func content(_ data: Data) -> [CFString: Any] {
      [
        kSecValueData: data,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
    }
  }
#endif
