import Dispatch
import Glibc
import Testing
import _EventLoop

@Suite("A queue for the work of a database")
struct WorkQueueTests {
  /// `SCHED_OTHER` and `SCHED_BATCH` of sched(7).
  private static let (other, batch): (Int32, Int32) = (0, 3)

  /// The policy of the calling thread, without the flag that keeps it from new threads.
  private static var policy: Int32 { sched_getscheduler(0) & 0xffff }

  @Test(
    "its work runs in order, on threads that interrupt others or do not", arguments: [true, false])
  func work(yields: Bool) async {
    let queue = WorkQueue(label: "test", yields: yields)
    let (policies, end) = AsyncStream<(Int, Int32)>.makeStream()
    for number in 0..<100 { queue.async { end.yield((number, Self.policy)) } }
    queue.async { end.finish() }
    var numbers: [Int] = []
    for await (number, policy) in policies {
      numbers.append(number)
      #expect(policy == (yields ? Self.batch : Self.other))
    }
    #expect(numbers == Array(0..<100))
  }

  @Test("a thread that serves queues of both kinds has the policy of each")
  func sharedThread() async {
    // Each queue gets a thread that has just served the other, as Dispatch uses them again.
    for number in 0..<100 {
      let yields = number.isMultiple(of: 2)
      let queue = WorkQueue(label: "test", yields: yields)
      let policy = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Self.policy) }
      }
      #expect(policy == (yields ? Self.batch : Self.other))
    }
  }

  @Test("a thread that is started by work that yields runs as any other")
  func startedThread() async {
    let queue = WorkQueue(label: "test", yields: true)
    let policy: Int32? = await withCheckedContinuation { continuation in
      queue.async {
        var thread = pthread_t()
        let started = pthread_create(
          &thread, nil,
          { _ in UnsafeMutableRawPointer(bitPattern: Int(WorkQueueTests.policy) + 1) },
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
