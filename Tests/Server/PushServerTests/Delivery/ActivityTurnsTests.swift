import Synchronization
import Testing

@testable import PushServer

@Suite("The turns of those who change a kept activity", .timeLimit(.minutes(1)))
struct ActivityTurnsTests {
  private final class Count: Sendable {
    let state = Mutex((running: 0, most: 0, ended: 0))
  }

  @Test("of many at once each gets a turn, and no two have it together")
  func many() async {
    let turns = ActivityTurns()
    let count = Count()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          await turns.run("order-1", app: "app", isFirst: number.isMultiple(of: 7)) {
            count.state.withLock { state in
              state.running += 1
              state.most = max(state.most, state.running)
            }
            await Task.yield()
            count.state.withLock { state in
              state.running -= 1
              state.ended += 1
            }
          }
        }
      }
    }
    let ended = count.state.withLock { $0 }
    #expect(ended.most == 1 && ended.ended == 100)
  }

  @Test("nobody waits for another activity or another app, and a failure ends its turn")
  func others() async {
    let turns = ActivityTurns()
    let value = await turns.run("order-1", app: "app") {
      await turns.run("order-2", app: "app") { await turns.run("order-1", app: "other") { 7 } }
    }
    #expect(value == 7)
    await #expect(throws: CancellationError.self) {
      try await turns.run("order-1", app: "app") { throw CancellationError() }
    }
    let next = await turns.run("order-1", app: "app") { 8 }
    #expect(next == 8)
  }
}
