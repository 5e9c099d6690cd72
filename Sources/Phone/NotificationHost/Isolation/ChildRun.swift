import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import _Spawn

/// One extension process for one notification.
///
/// A thread reads the process's messages, and another one samples its memory.
final class ChildRun: RunningExtension {
  private struct State: Sendable {
    var process: ConnectedProcess?
    var calls: [Int: Call] = [:]
    var lastCall = 0
    /// The timers and loads by the extension's numbers; the scope ends them.
    var work: [Int: any ScheduledWork] = [:]
    var loads: [Int: any MediaLoad] = [:]
    /// The holds of the clock that the extension has requested.
    var holds: [Int: any ClockHold] = [:]
    /// The watch for work of the process that the clock does not see.
    var unseenWork: (any ClockHold)?
    var hasReplied = false
    var isKilled = false
    /// The reason why the host kills the extension.
    var fault: ExtensionEnd?
    /// Called when the process has ended.
    var ended: (@Sendable () -> Void)?
    var isOver = false
  }

  private struct Call: Sendable {
    var hold: any ClockHold
    /// Called with whether the extension stops the load.
    var answer: (@Sendable (_ stops: Bool) -> Void)?
  }

  /// The time that an extension may compute before virtual time advances, the start of its process included.
  private static let freezeLimit = Duration.seconds(1)
  /// The maximum number of timers, loads or holds that an extension may have at the same time.
  private static let maximumConcurrent = 10_000
  /// The number of the call that lasts from the start of the process to the return of `didReceive`.
  private static let firstCall = 0

  private let child: ChildExtension
  private let scope: RunScope
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state = Locked(State())
  private let watch: MemoryWatch
  private let record: RunRecord

  init(
    _ child: ChildExtension, scope: RunScope, record: RunRecord,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) {
    self.child = child
    self.scope = scope
    self.record = record
    self.events = events
    watch = MemoryWatch(limit: child.program.memoryLimit)
  }

  var peakMemoryBytes: Int? { watch.peak }

  func begin(_ request: RequestCopy) {
    let hold = scope.clock.hold(freezeLimit: Self.freezeLimit)
    state.withLock { $0.calls[Self.firstCall] = Call(hold: hold, answer: nil) }
    Thread.detachNewThread { HostThreads.run { self.serve(request) } }
  }

  func warn() { call { .message(.warn(call: $0)) } }

  func end(_ ended: @escaping @Sendable () -> Void) {
    let (isOver, isIdle) = state.withLock { state in
      if !state.isOver { state.ended = ended }
      return (state.isOver, !state.hasReplied || state.calls.isEmpty)
    }
    if isOver { return ended() }
    // Calls that go on after the reply have a second to return; see `MemoryWatch`.
    if isIdle { kill() }
  }

  private func kill() {
    let process = state.withLock { state in
      state.isKilled = true
      return state.process
    }
    releaseHolds()
    process?.kill()
  }

  /// Reads messages until the process ends.
  private func serve(_ request: RequestCopy) {
    let process: ConnectedProcess
    do throws(SpawnError) {
      process = try child.spawn()
    } catch {
      return finish(ExtensionEnd(rule: .failedStart, message: "the extension: \(error)"))
    }
    let isNeeded = state.withLock { state in
      state.process = process
      return !state.isKilled
    }
    if !isNeeded { process.kill() }
    while let bytes = process.channel.receive() {
      // Until the message is handled the process may wait, and so may this thread, for example for a lock.
      let hold = scope.clock.hold(freezeLimit: Self.freezeLimit)
      defer { hold.release() }
      guard let frame = Frame<ExtensionMessage>(bytes), case .message(let message) = frame else {
        fail(.crashed, "the extension wrote an invalid message to the host's channel")
        break
      }
      receive(message, from: process, for: request)
    }
    // Held until the end is reported, so that the clock does not jump to the time limit.
    let hold = scope.clock.hold(freezeLimit: Self.freezeLimit)
    defer { hold.release() }
    process.kill()
    finish(ExtensionEnd(process.wait(), isStarted: watch.isStarted))
  }

  private func receive(
    _ message: ExtensionMessage, from process: ConnectedProcess, for request: RequestCopy
  ) {
    switch message {
    case .ready:
      guard watch.start(process, exceeded: { self.fail(.memoryLimit, $0) }) else { return }
      watchWork(of: process)
      let input = child.input(request)
      process.send(.receive(call: Self.firstCall, input))
    case .launched: events(.launched)
    case .done(let call, let stops): endCall(call, stops: stops)
    case .replied(let content, let categories):
      watch.sample(process)
      // The limit may be exceeded before the watching thread has seen it.
      if let excess = watch.excess { fail(.memoryLimit, excess) }
      acceptReply(content, categories: categories)
      process.send(.replyAccepted)
    case .time(let ask): process.send(.time(reply: ask, child.clock.now))
    case .schedule(let work, let delay): schedule(work, after: delay)
    case .cancel(let work): state.withLock { $0.work.removeValue(forKey: work) }?.cancel()
    case .load(let load, let request): begin(load, request)
    case .cancelLoad(let load): state.withLock { $0.loads[load] }?.cancel()
    case .hold(let hold, let freezeLimit): self.hold(hold, freezeLimit: freezeLimit)
    case .release(let hold): state.withLock { $0.holds.removeValue(forKey: hold) }?.release()
    case .note(let value): child.program.noted(value)
    case .notModelled(let line): record.noteLimit(line)
    }
  }

  /// Makes the clock wait for work of the process.
  private func watchWork(of process: ConnectedProcess) {
    guard !child.app.worksOnHostAlone else { return }
    // This thread is awake from the moment a message arrives until it holds the clock.
    let work = UnseenWork(
      ProcessActivity(process: process.identifier, reader: HostThreads.current),
      behavior: child.behavior, note: record.note)
    let unseenWork = work.watched(by: child.clock)
    let isOver = state.withLock { state in
      state.unseenWork = unseenWork
      return state.hasReplied || state.isKilled
    }
    if isOver { unseenWork?.release() }
  }

  private func acceptReply(_ content: WireContent, categories: [WireCategory]?) {
    let (isFirst, isFaulty) = state.withLock { state in
      let isFaulty = state.fault != nil
      guard !state.hasReplied, !state.isKilled, !isFaulty else { return (false, isFaulty) }
      state.hasReplied = true
      return (true, false)
    }
    // The reply of a faulty extension does not count; its end is reported when the process has ended.
    if isFaulty { return }
    guard isFirst else { return events(.repliedAgain) }
    // Held until the host has canceled the timers of the run.
    let hold = scope.clock.hold(freezeLimit: Self.freezeLimit)
    defer { hold.release() }
    releaseHolds()
    if let categories { WireCategory.set(categories, in: child.app.center) }
    events(.replied(child.store.capture(content.content)))
    watch.hasReplied()
  }

  // MARK: Calls

  /// Calls the extension.
  ///
  /// Virtual time does not jump until the call has returned.
  private func call(
    answer: (@Sendable (Bool) -> Void)? = nil, _ frame: (Int) -> Frame<HostMessage>
  ) {
    let hold = scope.clock.hold(freezeLimit: Self.freezeLimit)
    let number: (Int, ConnectedProcess)? = state.withLock { state in
      guard !state.isOver, let process = state.process else { return nil }
      state.lastCall += 1
      state.calls[state.lastCall] = Call(hold: hold, answer: answer)
      return (state.lastCall, process)
    }
    guard let (number, process) = number else {
      hold.release()
      return answer?(true) ?? ()
    }
    process.channel.send(frame(number).bytes)
  }

  /// Handles the return of a call.
  ///
  /// An extension that has replied and has no calls left is killed, because the system would suspend it.
  private func endCall(_ number: Int, stops: Bool) {
    let (call, isIdle) = state.withLock { state in
      let call = state.calls.removeValue(forKey: number)
      return (call, state.hasReplied && state.calls.isEmpty)
    }
    call?.answer?(stops)
    call?.hold.release()
    if isIdle { kill() }
  }

  private func schedule(_ number: Int, after delay: Duration) {
    let work = scope.clock.schedule(after: delay) {
      self.state.withLock { $0.work[number] = nil }
      self.call { .message(.fire(call: $0, work: number)) }
    }
    store { $0.work[number] = work }
  }

  private func begin(_ number: Int, _ request: WireRequest) {
    let sink = ChildSink(
      ended: { error in
        self.state.withLock { $0.loads[number] = nil }
        self.call {
          .message(.finish(call: $0, load: number, error: error.map(WireLoadError.init)))
        }
      },
      call: { answer, frame in self.call(answer: answer) { frame($0, number) } })
    guard let network = child.app.network else {
      return sink.finish(MediaLoadError(.offline, "VirtualPhone.App.network is not set"))
    }
    let load = network.load(request.request, into: sink)
    store { $0.loads[number] = load }
  }

  private func store(_ change: @Sendable (inout State) -> Void) {
    let isTooMany = state.withLock { state in
      change(&state)
      return max(state.work.count, state.loads.count, state.holds.count) > Self.maximumConcurrent
    }
    if isTooMany {
      fail(
        .crashed,
        "the extension has more than \(Self.maximumConcurrent) timers, loads or clock holds")
    }
  }

  /// Holds the clock for an extension that has not replied yet.
  private func hold(_ number: Int, freezeLimit: Duration) {
    guard !state.withLock({ $0.hasReplied }) else { return }
    let hold = scope.clock.hold(freezeLimit: freezeLimit)
    store { $0.holds[number] = hold }
  }

  private func releaseHolds() {
    let holds = state.withLock { state in
      defer { (state.holds, state.unseenWork) = ([:], nil) }
      return state.holds.values.map(\.self) + [state.unseenWork].compactMap(\.self)
    }
    for hold in holds { hold.release() }
  }

  // MARK: The end

  private func fail(_ rule: HostRule, _ message: String) {
    let process = state.withLock { state in
      if state.fault == nil { state.fault = ExtensionEnd(rule: rule, message: message) }
      return state.process
    }
    process?.kill()
  }

  private func finish(_ end: ExtensionEnd) {
    watch.stop()
    releaseHolds()
    let last = state.withLock { state in
      defer { state = State(hasReplied: state.hasReplied, isOver: true) }
      return state
    }
    if !last.hasReplied, !last.isKilled { events(.ended(last.fault ?? end)) }
    for call in last.calls.values {
      call.answer?(true)
      call.hold.release()
    }
    last.ended?()
  }
}

extension ConnectedProcess {
  fileprivate func send(_ message: HostMessage) {
    channel.send(Frame<HostMessage>.message(message).bytes)
  }
}
