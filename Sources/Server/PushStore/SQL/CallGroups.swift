import PushModel
import Synchronization

/// Groups of database calls: items that arrive during the call for a group of their key form the next group.
///
/// Groups of one key follow each other, each in the order of its items' arrival. Groups of different keys do not wait
/// for each other. A group begins after its last item has arrived, so a read sees everything that was stored before
/// it. A write is answered after its group was committed. Every item gets its own answer. If a whole group is
/// refused, it is divided, so that one item does not make the others fail.
final class CallGroups<Key: Hashable & Sendable, Item: Sendable, Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, StoreError>
  /// A call of the database for some items, in one transaction if it writes, which returns their outcomes in order.
  typealias Call = @Sendable ([Item]) async throws(StoreError) -> [Outcome]

  private struct Waiting {
    let item: Item
    /// The deadline of the waiting caller.
    let deadline = StoreDeadline.end
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private let waiting: Mutex<WaitingItems<Key, Waiting>>

  /// Makes groups without items.
  ///
  /// `limit` is the most items in one group, which limits the wait of the first of them.
  init(limit: Int = 512) {
    waiting = Mutex(WaitingItems(limit: limit))
  }

  /// Adds an item to the next group of its key, and returns its answer.
  ///
  /// Every item must have the same `call`. The group uses that of its first item.
  ///
  /// - Throws: The failure of this item, or of its group if the group may succeed later.
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
      // The longest waiting caller must be answered in time. The others may try again.
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

  /// Makes the call for items, and divides them if they are refused together.
  ///
  /// A statement for many rows does not say which row the database refused.
  private static func outcomes(of items: ArraySlice<Item>, _ call: Call) async -> [Outcome] {
    do throws(StoreError) {
      return try await call(Array(items))
    } catch {
      // A call that may succeed later would fail for each half too. A call that may have been
      // committed must not run again.
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
  /// The waiting items of each key that has a group under way.
  private var items: [Key: [Item]] = [:]

  init(limit: Int) {
    precondition(limit > 0, "a group has at least one item")
    self.limit = limit
  }

  func count(of key: Key) -> Int { items[key]?.count ?? 0 }

  /// Adds an item; `true` if the caller must take groups of its key until ``nextGroup(of:)`` returns `nil`.
  mutating func add(_ item: Item, of key: Key) -> Bool {
    let isFirst = items[key] == nil
    items[key, default: []].append(item)
    return isFirst
  }

  /// Removes the items of the next group, the earliest first; `nil` if no item waits.
  mutating func nextGroup(of key: Key) -> [Item]? {
    guard let all = items[key], !all.isEmpty else {
      items[key] = nil
      return nil
    }
    items[key] = Array(all.dropFirst(limit))
    return Array(all.prefix(limit))
  }
}
