import UserNotifications

/// The notification categories that every app with the Sailthru Mobile (Carnival) SDK registers.
///
/// A payload that names one in `aps.category` shows its buttons without describing them.
package enum PresetCategory {
  package static let names = [
    "yes_no", "accept_decline", "learn_more", "next_step", "view", "shop_now", "add", "watch",
    "subscribe", "share", "continue",
  ]

  /// The categories as the app registers them.
  static var all: Set<UNNotificationCategory> {
    Set(
      names.map { name in
        UNNotificationCategory(
          identifier: name,
          actions: titles(of: name).map {
            UNNotificationAction(identifier: $0.lowercased(), title: $0, options: [.foreground])
          }, intentIdentifiers: [], options: [])
      })
  }

  /// The titles of a category's buttons.
  private static func titles(of name: String) -> [String] {
    let words = name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return ["yes_no", "accept_decline"].contains(name) ? words : [words.joined(separator: " ")]
  }
}
