import Foundation

extension NSCoder {
  /// A text of an archive.
  func text(_ key: String) -> String? {
    decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
  }

  /// Texts of an archive; none where something else is among them.
  func texts(_ key: String) -> [String] {
    decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String] ?? []
  }

  /// A number of an archive; `nil` where there is none.
  func number(_ key: String) -> NSNumber? { decodeObject(of: NSNumber.self, forKey: key) }

  /// A dictionary of what property lists hold, and of null.
  func dictionary(_ key: String) -> [AnyHashable: Any] {
    let classes: [AnyClass] = [
      NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self,
      NSNull.self,
    ]
    return decodeObject(of: classes, forKey: key) as? [AnyHashable: Any] ?? [:]
  }
}
