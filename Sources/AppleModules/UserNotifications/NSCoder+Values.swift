import Foundation

extension NSCoder {
  /// Decodes a string.
  func text(_ key: String) -> String? {
    decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
  }

  /// Decodes an array of strings; empty if it has other values.
  func texts(_ key: String) -> [String] {
    decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String] ?? []
  }

  /// Decodes a number.
  func number(_ key: String) -> NSNumber? { decodeObject(of: NSNumber.self, forKey: key) }

  /// Decodes a dictionary of property-list values and `NSNull`.
  func dictionary(_ key: String) -> [AnyHashable: Any] {
    let classes: [AnyClass] = [
      NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self,
      NSNull.self,
    ]
    return decodeObject(of: classes, forKey: key) as? [AnyHashable: Any] ?? [:]
  }
}
