import Dispatch
import Glibc
import Testing
import _EventLoop

@Suite("A queue for the work of a database")
struct WorkQueueTests {
  /// `SCHED_OTHER` and `SCHED_BATCH` of sched(7).
  private static let (other, batch): (Int32, Int32) = (0, 3)

  private static var policy: Int32 { sched_getscheduler(0) }

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

  @Test("the thread of an event loop interrupts others, also where work that yields made it")
  func loop() async throws {
    let queue = WorkQueue(label: "test", yields: true)
    let made: EventLoop? = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: try? EventLoop(name: "test")) }
    }
    let loop = try #require(made)
    let policy = await withCheckedContinuation { continuation in
      _ = loop.schedule(at: .now) { continuation.resume(returning: Self.policy) }
    }
    #expect(policy == Self.other)
  }
}
