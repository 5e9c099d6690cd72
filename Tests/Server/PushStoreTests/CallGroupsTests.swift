import Synchronization
import Testing

@testable import PushModel
@testable import PushStore

@Suite("Calls of the database in groups", .timeLimit(.minutes(1)))
struct CallGroupsTests {
  private typealias Numbers = CallGroups<String, Int, Int>

  @Test(
    "items of a key wait while its group is under way, and the limit divides them",
    arguments: [(3, [[1], [2, 3]]), (2, [[1], [2, 3]]), (1, [[1], [2], [3]])])
  func waiting(limit: Int, groups: [[Int]]) {
    var items = WaitingItems<String, Int>(limit: limit)
    let isFirst = items.add(1, of: "a")
    #expect(isFirst)
    var taken = [items.nextGroup(of: "a")]
    for number in [2, 3] {
      let isFirst = items.add(number, of: "a")
      #expect(!isFirst)
    }
    let isFirstOfOther = items.add(9, of: "b")
    #expect(isFirstOfOther)
    #expect(items.count(of: "a") == 2)
    while let group = items.nextGroup(of: "a") { taken.append(group) }
    #expect(taken == groups)
    // The key is idle, so the next item must be taken again.
    let isFirstAgain = items.add(4, of: "a")
    #expect(isFirstAgain)
  }

  @Test("items that arrive during a commit are the next group, in the order of their arrival")
  func order() async throws {
    let (group, gate) = (Numbers(), CommitGate())
    let committed = Mutex<[[Int]]>([])
    let commit: Numbers.Call = { items throws(StoreError) in
      if items == [0] { await gate.wait() }
      committed.withLock { $0.append(items) }
      return items.map { .success($0 * 10) }
    }
    var answers: [Task<Int, any Error>] = []
    for number in 0...3 {
      answers.append(Task { try await group.answer(to: number, of: "a", commit) })
      // The first is under way, the others wait.
      while group.waitingCount(of: "a") != number, !Task.isCancelled { await Task.yield() }
      if number == 0 { await gate.isReached() }
    }
    // Another key does not wait.
    #expect(try await group.answer(to: 7, of: "b", commit) == 70)
    gate.open()
    for (number, answer) in answers.enumerated() { #expect(try await answer.value == number * 10) }
    #expect(committed.withLock(\.self) == [[7], [0], [1, 2, 3]])
  }

  @Test(
    "an item that fails a group fails alone, wherever it is in the group",
    arguments: [[1], [2, 3], [1, 2, 3, 4, 5, 6, 7], [4], [7]])
  func division(refused: Set<Int>) async throws {
    let outcomes = await Self.outcomes(of: 7) { items throws(StoreError) in
      guard refused.isDisjoint(with: items) else { throw StoreError(.refused, "a zero") }
      return items.map { .success($0) }
    }
    for (number, outcome) in zip(1...7, outcomes) {
      #expect((try? outcome.get()) == (refused.contains(number) ? nil : number))
    }
  }

  @Test("a failure of one item is its own, and the group is committed once")
  func failure() async {
    let commits = Mutex(0)
    let outcomes = await Self.outcomes(of: 3) { items throws(StoreError) in
      commits.withLock { $0 += 1 }
      return items.map { $0 == 2 ? .failure(StoreError(.erased, "erased")) : .success($0) }
    }
    #expect(outcomes.map { try? $0.get() } == [1, nil, 3])
    #expect(commits.withLock(\.self) == 1)
  }

  @Test(
    "a group whose commit may have been lost is not committed again",
    arguments: [StoreError.Code.unavailable, .locked, .unwritable])
  func lost(code: StoreError.Code) async {
    let commits = Mutex(0)
    let outcomes = await Self.outcomes(of: 5) { items throws(StoreError) in
      commits.withLock { $0 += 1 }
      throw StoreError(code, "lost")
    }
    for outcome in outcomes {
      #expect(throws: StoreError.self) { try outcome.get() }
    }
    #expect(commits.withLock(\.self) == 1)
  }

  /// Commits the numbers from 1 as one group, while the first one of the key is under way.
  private static func outcomes(
    of count: Int, _ commit: @escaping Numbers.Call
  ) async -> [Result<Int, any Error>] {
    let (group, gate) = (Numbers(), CommitGate())
    let all: Numbers.Call = { items throws(StoreError) in
      guard items != [0] else {
        await gate.wait()
        return [.success(0)]
      }
      return try await commit(items)
    }
    let first = Task { try? await group.answer(to: 0, of: "a", all) }
    await gate.isReached()
    var answers: [Task<Int, any Error>] = []
    for number in 1...count {
      answers.append(Task { try await group.answer(to: number, of: "a", all) })
      while group.waitingCount(of: "a") != number, !Task.isCancelled { await Task.yield() }
    }
    gate.open()
    _ = await first.value
    var outcomes: [Result<Int, any Error>] = []
    for answer in answers { outcomes.append(await answer.result) }
    return outcomes
  }
}

/// A gate at which a commit of a test waits.
private final class CommitGate: Sendable {
  private let reached = AsyncStream<Void>.makeStream()
  private let opened = AsyncStream<Void>.makeStream()

  func wait() async {
    reached.continuation.finish()
    for await _ in opened.stream {}
  }

  func isReached() async { for await _ in reached.stream {} }

  func open() { opened.continuation.finish() }
}
