import CLinux
import Glibc
import Synchronization

/// The state shared by an event loop and its thread.
///
/// The thread retains the core instead of the loop, so that it can end when the loop is released.
final class LoopCore: Sendable {
  private struct State {
    var jobs: [(UnownedJob, EventLoop)] = []
    var handlers: [UInt64: @Sendable (EventLoop.Readiness) -> Void] = [:]
    var timers = TimerQueue()
    var nextID: UInt64 = 1
    var isStopped = false
  }

  private let name: String
  private let poller: Int32
  private let wakeEvent: Int32
  private let thread = Atomic<UInt>(0)
  private let state = Mutex(State())

  init(name: String) throws(SystemError) {
    self.name = String(name.prefix(15))
    poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poller >= 0 else { throw SystemError("epoll_create1") }
    wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    // All properties are set, so `deinit` closes the descriptors if this throws an error.
    guard wakeEvent >= 0 else { throw SystemError("eventfd") }
    var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
    _ = unsafe epoll_ctl(poller, EPOLL_CTL_ADD, wakeEvent, &event)
  }

  deinit {
    _ = close(poller)
    if wakeEvent >= 0 { _ = close(wakeEvent) }
  }

  var isCurrentThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func start() throws(SystemError) {
    var handle = pthread_t()
    let context = unsafe Unmanaged.passRetained(self)
    let result = unsafe pthread_create(
      &handle, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<LoopCore>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      unsafe context.release()
      throw SystemError("pthread_create", code: result)
    }
    _ = pthread_detach(handle)
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  func add(_ job: UnownedJob, on loop: EventLoop) {
    let wasIdle = state.withLock { state in
      state.jobs.append((job, loop))
      return state.jobs.count == 1
    }
    if wasIdle, !isCurrentThread { wake() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = unsafe write(wakeEvent, &one, 8)
  }
}

extension LoopCore {
  func watch(
    _ fileDescriptor: Int32, for interest: EventLoop.Readiness,
    _ handler: @escaping @Sendable (EventLoop.Readiness) -> Void
  ) throws(SystemError) -> EventLoop.Registration {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.handlers[state.nextID] = handler
      return state.nextID
    }
    var event = unsafe epoll_event(events: interest.epollEvents, data: epoll_data_t(u64: id))
    guard unsafe epoll_ctl(poller, EPOLL_CTL_ADD, fileDescriptor, &event) == 0 else {
      let error = SystemError("epoll_ctl")
      state.withLock { _ = $0.handlers.removeValue(forKey: id) }
      throw error
    }
    return EventLoop.Registration(id: id, fileDescriptor: fileDescriptor)
  }

  func change(_ registration: EventLoop.Registration, to interest: EventLoop.Readiness) {
    var event = unsafe epoll_event(
      events: interest.epollEvents, data: epoll_data_t(u64: registration.id))
    _ = unsafe epoll_ctl(poller, EPOLL_CTL_MOD, registration.fileDescriptor, &event)
  }

  func cancel(_ registration: EventLoop.Registration) {
    if registration.fileDescriptor >= 0 {
      var event = unsafe epoll_event()
      _ = unsafe epoll_ctl(poller, EPOLL_CTL_DEL, registration.fileDescriptor, &event)
    }
    state.withLock { state in
      state.handlers[registration.id] = nil
      if registration.fileDescriptor < 0 { state.timers.remove(registration.id) }
    }
  }

  func schedule(
    at deadline: ContinuousClock.Instant, _ handler: @escaping @Sendable () -> Void
  ) -> EventLoop.Registration {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.timers.insert(TimerQueue.Entry(id: state.nextID, deadline: deadline, handler: handler))
      return state.nextID
    }
    // A timer set by another thread may be due before the current wait ends.
    if !isCurrentThread { wake() }
    return EventLoop.Registration(id: id)
  }
}

extension LoopCore {
  /// The body of the thread.
  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    unsafe martlet_name_thread(name)
    // The policy is inherited from the thread that made the loop.
    martlet_schedule_as_batch(false)
    // Writing to a socket that the peer closed must cause an error, not a signal.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)
    while let timeout = runJobs() {
      let count = unsafe epoll_wait(poller, &events, Int32(events.count), timeout)
      for index in 0..<max(0, Int(count)) {
        let event = unsafe events[index]
        let id = unsafe event.data.u64
        if id == 0 {
          var value: UInt64 = 0
          _ = unsafe read(wakeEvent, &value, 8)
        } else if let handler = state.withLock({ $0.handlers[id] }) {
          unsafe handler(EventLoop.Readiness(epollEvents: event.events))
        }
      }
      runTimers()
    }
  }

  /// Runs the queued jobs.
  ///
  /// - Returns: The time to wait in milliseconds, -1 without a limit; `nil` to end the thread.
  private func runJobs() -> Int32? {
    var jobs: [(UnownedJob, EventLoop)] = []
    var isStopped = false
    var deadline: ContinuousClock.Instant?
    var mayWait = true
    state.withLock { state in
      swap(&jobs, &state.jobs)
      isStopped = state.isStopped
    }
    guard !isStopped || !jobs.isEmpty else { return nil }
    for (job, loop) in jobs {
      unsafe job.runSynchronously(on: loop.asUnownedSerialExecutor())
    }
    jobs.removeAll()
    state.withLock { state in
      mayWait = state.jobs.isEmpty && !state.isStopped
      deadline = state.timers.nextDeadline
    }
    guard mayWait else { return 0 }
    guard let deadline else { return -1 }
    let wait = ContinuousClock.now.duration(to: deadline).components
    guard wait.seconds >= 0, wait.attoseconds >= 0 else { return 0 }
    // Rounded up, because waking before the deadline would make the loop spin.
    let fraction = (wait.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: wait.seconds * 1000 + fraction)
  }

  private func runTimers() {
    guard state.withLock(\.timers.nextDeadline) != nil else { return }
    let now = ContinuousClock.now
    // One at a time, because a handler may cancel a timer that is due with it.
    while let handler = state.withLock({ $0.timers.popDue(at: now) }) { handler() }
  }
}

extension EventLoop.Readiness {
  fileprivate var epollEvents: UInt32 {
    (contains(.read) ? EPOLLIN.rawValue : 0) | (contains(.write) ? EPOLLOUT.rawValue : 0)
  }

  fileprivate init(epollEvents events: UInt32) {
    self = []
    if events & EPOLLIN.rawValue != 0 { insert(.read) }
    if events & EPOLLOUT.rawValue != 0 { insert(.write) }
    if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { formUnion([.read, .write]) }
  }
}
