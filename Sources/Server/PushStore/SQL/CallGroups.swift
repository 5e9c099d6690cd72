import Synchronization

/// Makes calls of the database in groups: those that arrive while a group of their key is under way
/// are the next group.
///
/// Groups of one key follow each other, each in the order in which its items arrived; groups of
/// different keys do not wait for each other. A group begins after its last item has arrived, so a
/// read sees what was stored before it, and a write is answered once its group was committed. Every
/// item gets an answer of its own. Where a group as a whole is refused, it is divided, so that one
/// item does not take the others with it.
final class CallGroups<Key: Hashable & Sendable, Item: Sendable, Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, StoreError>
  /// Calls the database once for some items, in one transaction where it writes, and returns an
  /// outcome for each of them in their order.
  typealias Call = @Sendable ([Item]) async throws(StoreError) -> [Outcome]

  private struct Waiting {
    let item: Item
    /// The deadline of who waits.
    let deadline = StoreDeadline.end
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private let waiting: Mutex<WaitingItems<Key, Waiting>>

  /// Makes groups without items.
  ///
  /// `limit` is the most items in one group, which bounds the wait of the first of them.
  init(limit: Int = 512) {
    waiting = Mutex(WaitingItems(limit: limit))
  }

  /// Returns the answer to an item, which is in the next group of its key.
  ///
  /// `call` is the same for every item; that of the first item of a group is made.
  ///
  /// - Throws: The failure of this item, or of its group where that may succeed later.
  func answer(
    to item: Item, of key: Key, _ call: @escaping Call
  ) async throws(StoreError) -> Answer {
    let outcome = await withCheckedContinuation { continuation in
      let isFirst = waiting.withLock {
        $0.add(Waiting(item: item, continuation: continuation), of: key)
      }
      if isFirst { Task { await answerWaiting(of: key, call) } }
    }
    return try outcome.get()
  }

  /// The number of items of a key that wait for the next group.
  func waitingCount(of key: Key) -> Int { waiting.withLock { $0.count(of: key) } }

  private func answerWaiting(of key: Key, _ call: Call) async {
    while let group = waiting.withLock({ $0.nextGroup(of: key) }) {
      // Who waits longest has to be answered first; the others may try again.
      let deadline = group.compactMap(\.deadline).min() ?? ContinuousClock.now + StoreDeadline.limit
      let outcomes = await StoreDeadline.$current.withValue(.at(deadline)) {
        await Self.outcomes(of: group.map(\.item)[...], call)
      }
      for (place, waiting) in group.enumerated() {
        waiting.continuation.resume(
          returning: outcomes.indices.contains(place) ? outcomes[place] : .failure(Self.unanswered))
      }
    }
  }

  /// Makes the call for items, divided where they are refused together: a statement for many rows
  /// does not say which of them the database refused.
  private static func outcomes(of items: ArraySlice<Item>, _ call: Call) async -> [Outcome] {
    do throws(StoreError) {
      return try await call(Array(items))
    } catch {
      // What may succeed later would fail for each half too, and what may have been committed must
      // not run again.
      guard items.count > 1, !error.isTransient else {
        return items.map { _ in .failure(error) }
      }
      let middle = items.startIndex + items.count / 2
      let first = await outcomes(of: items[..<middle], call)
      return first + (await outcomes(of: items[middle...], call))
    }
  }

  private static var unanswered: StoreError {
    StoreError(.failed, "the store did not answer a call of a group; try again")
  }
}

/// The items that wait for their group, by their keys.
struct WaitingItems<Key: Hashable, Item> {
  private let limit: Int
  /// The items of the keys of which a group is under way.
  private var items: [Key: [Item]] = [:]

  init(limit: Int) {
    precondition(limit > 0, "a group has at least one item")
    self.limit = limit
  }

  func count(of key: Key) -> Int { items[key]?.count ?? 0 }

  /// Adds an item; `true` where the caller must take groups of its key until there is none.
  mutating func add(_ item: Item, of key: Key) -> Bool {
    let isFirst = items[key] == nil
    items[key, default: []].append(item)
    return isFirst
  }

  /// Removes the items of the next group, the earliest first; `nil` where none waits.
  mutating func nextGroup(of key: Key) -> [Item]? {
    guard let all = items[key], !all.isEmpty else {
      items[key] = nil
      return nil
    }
    items[key] = Array(all.dropFirst(limit))
    return Array(all.prefix(limit))
  }
}
