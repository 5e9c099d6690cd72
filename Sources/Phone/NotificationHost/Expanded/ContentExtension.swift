package import PushPayload

/// A notification content extension of an app, as its Info.plist describes it.
package struct ContentExtension: Hashable, Sendable {
  /// The categories of the notifications that it expands.
  package var categories: [String]
  /// The height of its view divided by the width, while it is loaded.
  package var initialRatio: Double
  /// Whether its view gets touches.
  package var takesTouches = false
  /// Whether the system's title and text are not shown above its view.
  package var hidesDefaultContent = false

  package init(categories: [String], initialRatio: Double) {
    self.categories = categories
    self.initialRatio = initialRatio
  }

  /// Reads an Info.plist; `nil` if it is not that of a content extension, or lacks a category or the ratio, which are required.
  package init?(infoPlist: JSONValue) {
    let point = "com.apple.usernotifications.content-extension"
    guard let declared = infoPlist["NSExtension"],
      declared["NSExtensionPointIdentifier"]?.string == point,
      let attributes = declared["NSExtensionAttributes"],
      let ratio = attributes["UNNotificationExtensionInitialContentSizeRatio"]?.number
    else { return nil }
    let category = attributes["UNNotificationExtensionCategory"]
    let categories =
      category?.string.map { [$0] } ?? category?.array?.compactMap(\.string) ?? []
    guard !categories.isEmpty else { return nil }
    self.init(categories: categories, initialRatio: ratio)
    takesTouches = attributes["UNNotificationExtensionUserInteractionEnabled"]?.bool ?? false
    hidesDefaultContent = attributes["UNNotificationExtensionDefaultContentHidden"]?.bool ?? false
  }
}
