/// Which categories stay when one comes: rules over their identifiers.
///
/// Setting categories replaces the app's whole list, so whatever is not written again is lost. A
/// category that is not ours always stays. Ours are bounded, for payloads bring ever new ones: the
/// oldest go first, and with them the buttons of notifications that still show them.
struct CategoryMerge: Sendable {
  /// How many of ours there may be.
  ///
  /// By default 32: buttons stay for the last 32 kinds of notification, and the list stays small,
  /// for it is read and written whole each time.
  var limit = 32

  enum Decision: Equatable {
    /// A category with these buttons is there, and is not soon to be pruned.
    case reuse(String)
    /// It is to be added, and these, all ours, are to go.
    case add(pruning: Set<String>)
  }

  func decide(adding new: CategoryIdentifier, to present: Set<String>) -> Decision {
    let own = present.compactMap { CategoryIdentifier($0) }.sorted(by: CategoryIdentifier.isOlder)
    // One in the older half might be pruned while this notification is still on the screen.
    if let same = own.suffix(max(1, limit / 2)).last(where: { $0.hasSameButtons(as: new) }) {
      return .reuse(same.text)
    }
    let others = own.filter { $0 != new }
    return .add(pruning: Set(others.dropLast(max(0, limit - 1)).map(\.text)))
  }
}
