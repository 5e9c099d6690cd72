import Foundation

/// An item of the keychain.
struct KeychainItem: Equatable {
  /// The value of an attribute.
  enum Value: Hashable {
    case text(String)
    case bytes(Data)
    case number(Int64)
    case date(Date)
  }

  /// A class of items that is modelled.
  enum Kind: String {
    case genericPassword = "genp"
    case internetPassword = "inet"
    case key = "keys"
  }

  var kind: Kind
  /// The attributes, the access group and the protection class among them, by Apple's keys of four letters.
  var attributes: [String: Value]
  var secret: Data?

  /// The access group.
  var group: String { attributes["agrp"]?.text ?? "" }
  /// The attributes that no two items share: Apple's published Security has the list for each class.
  var identity: [Value] {
    [.text(kind.rawValue)] + kind.identifying.map { attributes[$0] ?? .text("") }
  }

  /// The protection class; that of items without one is `kSecAttrAccessibleWhenUnlocked`.
  var protection: FileProtectionType {
    switch attributes["pdmn"]?.text {
    case "dk", "dku": FileProtectionType.none
    case "ck", "cku": .completeUntilFirstUserAuthentication
    default: .complete
    }
  }
}

extension KeychainItem.Value {
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The value as an object of Foundation.
  var object: Any {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): bytes
    case .number(let number): number
    case .date(let date): date
    }
  }

  /// Reads an object; `nil` for one that is neither text, bytes, a number nor a date.
  init?(_ object: Any) {
    if let text = object as? String {
      self = .text(text)
    } else if let bytes = object as? Data {
      self = .bytes(bytes)
    } else if let date = object as? Date {
      self = .date(date)
    } else if let number = object as? NSNumber {
      self = .number(number.int64Value)
    } else {
      return nil
    }
  }
}

extension KeychainItem.Kind {
  private static let common: Set<String> = [
    "agrp", "pdmn", "labl", "sync", "cdat", "mdat",
  ]

  /// The keys of the attributes that items of this class may have.
  var attributes: Set<String> {
    let own: [String] =
      switch self {
      case .genericPassword:
        ["acct", "svce", "gena", "desc", "icmt", "crtr", "type", "invi", "nega"]
      case .internetPassword:
        [
          "acct", "srvr", "ptcl", "atyp", "port", "path", "sdmn", "desc", "icmt", "crtr", "type",
          "invi", "nega",
        ]
      case .key: ["klbl", "atag", "kcls", "type", "bsiz", "esiz", "perm", "crtr"]
      }
    return Self.common.union(own)
  }

  /// The keys of the attributes that no two items share.
  fileprivate var identifying: [String] {
    switch self {
    case .genericPassword: ["agrp", "acct", "svce", "sync"]
    case .internetPassword:
      ["agrp", "acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "sync"]
    case .key: ["agrp", "klbl", "atag", "kcls", "type", "crtr", "bsiz", "esiz", "sync"]
    }
  }
}
