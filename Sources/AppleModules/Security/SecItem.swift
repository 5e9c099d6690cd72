// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
@_spi(Host) import UserNotifications

/// Adds an item to the phone's keychain.
///
/// Source: Apple, `SecItemAdd(_:_:)`.
///
/// - Parameters:
///   - attributes: The class, the attributes and the secret.
///   - result: Receives what the attributes ask for with `kSecReturnData` and `kSecReturnAttributes`.
/// - Returns: `errSecSuccess`, or such as `errSecDuplicateItem`, `errSecMissingEntitlement` for an access group that
///   the process does not
///   have, and `errSecInteractionNotAllowed` while the phone is locked.
@discardableResult public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemAdd") { keychain throws(KeychainError) in
    let answer = try keychain.add(attributes, at: Date())
    unsafe result?.pointee = answer
  }
}

/// Finds items in the phone's keychain.
///
/// Source: Apple, `SecItemCopyMatching(_:_:)`.
///
/// - Parameters:
///   - query: The class, attributes, and what is wanted of the items.
///   - result: Receives the secret, the attributes or both; an array of them with `kSecMatchLimitAll`.
/// - Returns: `errSecSuccess`, or such as `errSecItemNotFound`, `errSecMissingEntitlement` for an access group that the
///   process does not
///   have, and `errSecInteractionNotAllowed` for the secret of an item that cannot be read while the phone is locked.
@discardableResult public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemCopyMatching") { keychain throws(KeychainError) in
    let answer = try keychain.find(query)
    guard unsafe answer == nil || result != nil else { throw KeychainError(status: errSecParam) }
    unsafe result?.pointee = answer
  }
}

/// Changes items of the phone's keychain.
///
/// Source: Apple, `SecItemUpdate(_:_:)`.
///
/// - Parameters:
///   - query: The class and attributes of the items.
///   - attributesToUpdate: The new attributes and the new secret, without the class.
/// - Returns: `errSecSuccess`, or such as `errSecItemNotFound` and `errSecParam`.
@discardableResult public func SecItemUpdate(
  _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus {
  perform("SecItemUpdate") { keychain throws(KeychainError) in
    try keychain.update(query, to: attributesToUpdate, at: Date())
  }
}

/// Deletes items from the phone's keychain.
///
/// Source: Apple, `SecItemDelete(_:)`.
///
/// - Parameter query: The class and attributes of the items.
/// - Returns: `errSecSuccess`, or such as `errSecItemNotFound`.
@discardableResult public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  perform("SecItemDelete") { keychain throws(KeychainError) in try keychain.delete(query) }
}

/// Runs an operation on the keychain of the calling code's phone.
private func perform(
  _ function: String, _ operation: (inout Keychain) throws(KeychainError) -> Void
) -> OSStatus {
  guard let phone = UNWorld.keychain else {
    notModelled(
      "SecItem",
      "\(function) has no keychain outside of a phone; call it in VirtualPhone.runApp(_:)")
    return errSecNotAvailable
  }
  do throws(KeychainError) {
    try KeychainFolder(url: phone.folder).use(phone.accessGroups) { items throws(KeychainError) in
      var keychain = Keychain(items: items, groups: phone.accessGroups, opens: phone.opens)
      try operation(&keychain)
      items = keychain.items
    }
    return errSecSuccess
  } catch { return error.status }
}
