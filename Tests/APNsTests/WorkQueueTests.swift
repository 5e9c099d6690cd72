import Dispatch
import Glibc
import Testing
import _EventLoop

@Suite("A queue for the work of a database")
struct WorkQueueTests {
  /// `SCHED_OTHER` and `SCHED_BATCH` of sched(7), and the flag that keeps a policy from new threads.
  private static let (other, batch, resetOnFork): (Int32, Int32, Int32) = (0, 3, 0x4000_0000)

  @Test("its work runs in order, on threads that do not interrupt others")
  func work() async {
    let queue = WorkQueue(label: "test")
    let (policies, end) = AsyncStream<(Int, Int32)>.makeStream()
    for number in 0..<100 { queue.async { end.yield((number, sched_getscheduler(0))) } }
    queue.async { end.finish() }
    var numbers: [Int] = []
    for await (number, policy) in policies {
      numbers.append(number)
      #expect(policy == Self.batch | Self.resetOnFork)
    }
    #expect(numbers == Array(0..<100))
  }

  @Test("a thread that is started by its work runs as any other")
  func startedThread() async throws {
    let queue = WorkQueue(label: "test")
    let policy: Int32? = await withCheckedContinuation { continuation in
      queue.async {
        var thread = pthread_t()
        let started = pthread_create(
          &thread, nil,
          { _ in UnsafeMutableRawPointer(bitPattern: Int(sched_getscheduler(0)) + 1) },
          nil)
        var result: UnsafeMutableRawPointer?
        guard started == 0, pthread_join(thread, &result) == 0 else {
          return continuation.resume(returning: nil)
        }
        continuation.resume(returning: Int32(Int(bitPattern: result) - 1))
      }
    }
    #expect(policy == Self.other)
  }
}
