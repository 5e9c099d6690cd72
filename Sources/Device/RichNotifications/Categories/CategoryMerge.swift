/// The rules for the categories to keep when one is added.
///
/// `setNotificationCategories(_:)` replaces the app's whole set. Categories of the app and of other
/// libraries are always kept. Categories made for payloads are limited in number: the oldest are removed
/// first, and notifications that still show them lose their buttons.
struct CategoryMerge: Sendable {
  /// The maximum number of categories made for payloads.
  ///
  /// The default is 32. The whole set is read and written each time, so it should stay small.
  var limit = 32

  enum Decision: Equatable {
    /// A category with the same buttons exists and is recent enough to stay.
    case reuse(String)
    /// The category must be added, and these older ones must be removed.
    case add(pruning: Set<String>)
  }

  func decide(adding new: CategoryIdentifier, to present: Set<String>) -> Decision {
    let own = present.compactMap { CategoryIdentifier($0) }.sorted(by: CategoryIdentifier.isOlder)
    // A category of the older half might be removed while this notification is still shown.
    if let same = own.suffix(max(1, limit / 2)).last(where: { $0.hasSameButtons(as: new) }) {
      return .reuse(same.text)
    }
    let others = own.filter { $0 != new }
    return .add(pruning: Set(others.dropLast(max(0, limit - 1)).map(\.text)))
  }
}
