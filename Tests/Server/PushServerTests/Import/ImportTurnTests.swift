import Dispatch
import Foundation
import PushModel
import Synchronization
import Testing

@testable import PushServer

/// Runs tasks one at a time, in the order in which they become ready.
private final class OneThread: TaskExecutor {
  private let queue = DispatchQueue(label: "one thread")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// How often other work had a turn, until the import has ended.
private final class Progress: Sendable {
  private let state = Mutex((turns: 0, hasEnded: false))

  var turns: Int { state.withLock(\.turns) }

  func end() { state.withLock { $0.hasEnded = true } }

  /// Whether the import has ended; counts a turn if it has not.
  func hasEnded() -> Bool {
    state.withLock { state in
      state.turns += state.hasEnded ? 0 : 1
      return state.hasEnded
    }
  }
}

@Suite("The turns of an import", .timeLimit(.minutes(10)))
struct ImportTurnTests {
  @Test(
    "other work on the same thread goes on beside a file of which no row is a device",
    arguments: [
      (DeviceImport.Format.csv, "x,\n", DeviceImport.turn),
      (.csv, ",\n", DeviceImport.pieceSize / 2),
      (.lines, "x\n", DeviceImport.turn),
      (.lines, "{}\n", DeviceImport.turn),
    ])
  func wrongRows(format: DeviceImport.Format, row: String, turn: Int) async throws {
    let fixture = try await Fixture()
    let count = 4 * DeviceImport.pieceSize / row.utf8.count
    let header = format == .csv ? "token,os_name\n" : ""
    let file = Array((header + String(repeating: row, count: count)).utf8)
    let devices = DeviceImport(
      store: fixture.store, app: fixture.app.id, now: fixture.clock.now)
    let progress = Progress()
    let thread = OneThread()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: thread) {
        let report = try await devices.run(file, as: format)
        #expect(report.accepted == 0)
        progress.end()
      }
      group.addTask(executorPreference: thread) {
        while !progress.hasEnded() { await Task.yield() }
      }
      try await group.waitForAll()
    }
    #expect(progress.turns >= count / turn)
  }
}
