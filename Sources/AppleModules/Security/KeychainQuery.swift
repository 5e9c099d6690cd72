import Foundation
@_spi(Host) import UserNotifications

/// A status that ends an operation.
struct KeychainError: Error, Equatable {
  var status: OSStatus
}

/// A dictionary that was passed to a function of the keychain.
///
/// The order of the checks and their statuses are those of Apple's published Security.
struct KeychainQuery {
  /// A function of the keychain.
  enum Use {
    case add, find, update, delete
    /// The changes of an update.
    case changes
  }

  private(set) var kind: KeychainItem.Kind?
  private(set) var attributes: [String: KeychainItem.Value] = [:]
  private(set) var secret: Data?
  private(set) var returnsData = false
  private(set) var returnsAttributes = false
  /// The most items that are wanted; `nil` for all.
  private(set) var limit: Int? = 1
  /// Whether items with and without the mark for iCloud are meant.
  private(set) var isAnySync = false

  /// Reads a dictionary.
  ///
  /// - Throws: `errSecParam` and other statuses for what the function does not take.
  init(_ dictionary: NSDictionary, for use: Use) throws(KeychainError) {
    guard let entries = dictionary as? [String: Any] else {
      throw KeychainError(status: errSecParam)
    }
    if use != .changes { kind = try Self.kind(entries["class"]) }
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      switch key.first {
      case _ where key.count == 4: try addAttribute(key, value)
      case "c" where key == "class" && use != .changes: break
      case "m" where use == .find || use == .update: try addMatch(key, value)
      case "r" where use != .changes: try addReturn(key, value, for: use)
      case "u" where use != .changes && Self.dialogs.contains(key): break
      case "v": try addValue(key, value)
      default: throw KeychainError(status: errSecParam)
      }
    }
  }

  private static func kind(_ value: Any?) throws(KeychainError) -> KeychainItem.Kind {
    guard let name = value as? String else { throw KeychainError(status: errSecParam) }
    if let kind = KeychainItem.Kind(rawValue: name) { return kind }
    guard ["cert", "idnt"].contains(name) else { throw KeychainError(status: errSecNoSuchClass) }
    notModelled("kSecClass", "items of the class \(name) are refused with errSecUnimplemented")
    throw KeychainError(status: errSecUnimplemented)
  }

  private mutating func addAttribute(_ key: String, _ value: Any) throws(KeychainError) {
    switch key {
    case "nleg": return  // kSecUseDataProtectionKeychain, which is for macOS.
    case "accc":
      notModelled("kSecAttrAccessControl", "an item with it is refused with errSecUnimplemented")
      throw KeychainError(status: errSecUnimplemented)
    case "sync" where value as? String == "syna":
      isAnySync = true
      return
    default: break
    }
    guard kind?.attributes.contains(key) ?? true else {
      throw KeychainError(status: errSecNoSuchAttr)
    }
    guard let read = KeychainItem.Value(value), key != "agrp" || read.text != nil,
      key != "pdmn" || read.text.map(Self.protections.contains) == true
    else { throw KeychainError(status: errSecParam) }
    attributes[key] = read
  }

  /// The keys about dialogs, of which the model has none.
  private static let dialogs: Set<String> = ["u_AuthUI", "u_NoAuthUI", "u_OpPrompt", "u_AuthCtx"]
  private static let protections: Set<String> = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

  private mutating func addMatch(_ key: String, _ value: Any) throws(KeychainError) {
    guard key == "m_Limit" else {
      notModelled("SecItemCopyMatching", "\(key) is refused with errSecUnimplemented")
      throw KeychainError(status: errSecUnimplemented)
    }
    switch value {
    case let text as String where text == "m_LimitOne": limit = 1
    case let text as String where text == "m_LimitAll": limit = nil
    case let number as NSNumber where number.intValue > 0: limit = number.intValue
    default: throw KeychainError(status: errSecParam)
    }
  }

  private mutating func addReturn(_ key: String, _ value: Any, for use: Use) throws(KeychainError) {
    guard let isWanted = value as? Bool else { throw KeychainError(status: errSecParam) }
    guard isWanted else { return }
    switch key {
    case _ where use == .update: throw KeychainError(status: errSecParam)
    case "r_Data": returnsData = true
    case "r_Attributes": returnsAttributes = true
    case "r_Ref", "r_PersistentRef":
      notModelled("kSecReturnRef", "\(key) is refused with errSecUnimplemented; use kSecReturnData")
      throw KeychainError(status: errSecUnimplemented)
    default: throw KeychainError(status: errSecParam)
    }
  }

  private mutating func addValue(_ key: String, _ value: Any) throws(KeychainError) {
    switch key {
    case "v_Data":
      guard let data = value as? Data else { throw KeychainError(status: errSecParam) }
      secret = data
    case "v_Ref", "v_PersistentRef":
      notModelled("kSecValueRef", "\(key) is refused with errSecUnimplemented; use kSecValueData")
      throw KeychainError(status: errSecUnimplemented)
    default: throw KeychainError(status: errSecParam)
    }
  }

  /// Whether an item has the attributes of this query.
  func matches(_ item: KeychainItem) -> Bool {
    guard item.kind == kind, secret == nil || secret == item.secret else { return false }
    let sync = item.attributes["sync"] ?? .number(0)
    if !isAnySync, sync != attributes["sync"] ?? .number(0) { return false }
    return attributes.allSatisfy { $0.key == "sync" || item.attributes[$0.key] == $0.value }
  }
}
