// The declarations of Apple's Security framework that we use.
// https://developer.apple.com/documentation/security
public import Foundation

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject

public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecAttrAccessGroup: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let kSecValueData: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecMatchLimit: CFString = ""
public let kSecMatchLimitOne: CFString = ""

@available(iOS 13, macOS 10.15, watchOS 6, visionOS 1, macCatalyst 13.1, *)
public let kSecUseDataProtectionKeychain: CFString = ""

public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { fatalError() }
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { fatalError() }
public func SecItemUpdate(
  _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus { fatalError() }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { fatalError() }
