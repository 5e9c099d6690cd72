import Foundation
import Synchronization
import Testing

@testable import NotificationHost

/// Blocks and tasks of an extension, for which the clock waits whatever else the process does.
@Suite("The work of an extension that the clock sees")
struct SeenWorkTests {
  /// A watch whose limit for other work is used up from the beginning.
  private static func watch(_ seen: SeenWork) -> UnseenWork {
    var behavior = HostBehavior()
    behavior.unseenWorkLimit = .zero
    return UnseenWork(
      ProcessActivity(caller: HostThreads.current), seen: seen, behavior: behavior,
      note: { _, _ in })
  }

  @Test("a block counts from its submission to its end")
  func block() async throws {
    let seen = SeenWork(RunScope(VirtualClock()))
    seen.beginWatch()
    let watch = Self.watch(seen)
    let run = try #require(seen.submit())
    #expect(watch.isBusy(for: .seconds(1)))
    #expect(watch.isBusy(for: .seconds(1)))
    run { #expect(watch.isBusy(for: .seconds(1))) }
    // Other work that waits for a thread is waited for once.
    while watch.isBusy(for: .seconds(1)) { await Task.yield() }
  }

  @Test("a block that waits for another thread does not count")
  func waiting() async throws {
    let seen = SeenWork(RunScope(VirtualClock()))
    seen.beginWatch()
    let watch = Self.watch(seen)
    let run = try #require(seen.submit())
    let wake = DispatchSemaphore(value: 0)
    Thread.detachNewThread { run { wake.wait() } }
    while seen.state.queued > 0 { await Task.yield() }
    while watch.isBusy(for: .seconds(1)) { await Task.yield() }
    wake.signal()
  }

  @Test("the jobs of a task count, and its waits do not")
  func task() async throws {
    let seen = SeenWork(RunScope(VirtualClock()))
    seen.beginWatch()
    // The thread of the job before may not have been removed yet, so each job looks for its own.
    @Sendable func isSeen() -> Bool { seen.state.threads.contains(HostThreads.current) }
    let jobs = Mutex([Bool]())
    await Task(executorPreference: SeenExecutor(seen)) {
      jobs.withLock { $0.append(isSeen()) }
      await Task.yield()
      jobs.withLock { $0.append(isSeen()) }
      async let child = isSeen()
      let isChildSeen = await child
      jobs.withLock { $0.append(isChildSeen) }
    }.value
    #expect(jobs.withLock { $0 } == [true, true, true])
    while !seen.state.threads.isEmpty { await Task.yield() }
    #expect(seen.state.queued == 0)
  }

  @Test("nothing is seen before a watch begins, nor after the run")
  func outside() {
    let scope = RunScope(VirtualClock())
    let seen = SeenWork(scope)
    #expect(seen.submit() == nil)
    seen.beginWatch()
    scope.end()
    #expect(seen.submit() == nil)
    #expect(seen.state.queued == 0)
  }
}
