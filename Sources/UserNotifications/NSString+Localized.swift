public import Foundation

extension NSString {
  /// A text of the app's `Localizable.strings`, filled.
  ///
  /// Apple's looks the key up when the notification is shown, in the language of that moment; this one
  /// at once.
  ///
  /// - Parameters:
  ///   - key: The text's key.
  ///   - arguments: What stands for `%@`, in order or by number.
  /// - Returns: The text; the key where there is none.
  public class func localizedUserNotificationString(
    forKey key: String, arguments: [Any]?
  ) -> String {
    let text = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
    let values = (arguments ?? []).map { String(describing: $0) }
    var next = 0
    return text.replacing(/%(?:([0-9]{1,2})\$)?@/) { match in
      defer { next += match.1 == nil ? 1 : 0 }
      let place = match.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
      return values.indices.contains(place) ? values[place] : ""
    }
  }
}
