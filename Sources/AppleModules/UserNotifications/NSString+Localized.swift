public import Foundation

extension NSString {
  /// Returns a localized string of the app's `Localizable.strings` with its arguments.
  ///
  /// Apple's method looks up the key when the notification is shown; this one does so immediately.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - arguments: The arguments for `%@`, in order or by position.
  /// - Returns: The string; the key itself if the app has no such string.
  public class func localizedUserNotificationString(
    forKey key: String, arguments: [Any]?
  ) -> String {
    let text = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
    let values = (arguments ?? []).map { String(describing: $0) }
    var next = 0
    return text.replacing(/%(?:([0-9]{1,2})\$)?@/) { match in
      defer { next += match.1 == nil ? 1 : 0 }
      let index = match.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
      return values.indices.contains(index) ? values[index] : ""
    }
  }
}
