import Foundation
import MediaLoading
import RichNotifications
import _Spawn

/// One process on one notification: a thread reads what it says, another watches its memory.
final class ChildRun: RunningExtension {
  private struct State: Sendable {
    var process: ConnectedProcess?
    var calls: [Int: Call] = [:]
    var lastCall = 0
    var work: [Int: any ScheduledWork] = [:]
    var loads: [Int: any MediaLoad] = [:]
    /// What the extension itself holds the clock with.
    var holds: [Int: any ClockHold] = [:]
    var hasReplied = false
    var isKilled = false
    /// Why it is ended, where the host ends it for a fault.
    var fault: ExtensionEnd?
    var isOver = false
  }

  private struct Call: Sendable {
    var hold: any ClockHold
    /// Told whether the extension wants no more.
    var answer: (@Sendable (_ stops: Bool) -> Void)?
  }

  /// How long an extension may compute before virtual time flows; a process also has to start.
  private static let patience = Duration.seconds(1)
  /// More timers or loads at once are a fault of the extension.
  private static let mostAtOnce = 10_000
  /// The call that begins with the start of the process and ends with `didReceive`.
  private static let firstCall = 0

  private let world: ChildExtension
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state = HostLocked(State())
  private let watch: MemoryWatch

  init(_ world: ChildExtension, events: @escaping @Sendable (ExtensionEvent) -> Void) {
    self.world = world
    self.events = events
    watch = MemoryWatch(limit: world.program.memoryLimit)
  }

  var peakMemoryBytes: Int? { watch.peak }

  func begin(_ request: RequestCopy) {
    let hold = world.clock.hold(patience: Self.patience)
    state.withLock { $0.calls[Self.firstCall] = Call(hold: hold, answer: nil) }
    Thread.detachNewThread { self.serve(request) }
  }

  func warn() { call { .message(.warn(call: $0)) } }

  func kill() {
    let process = state.withLock { state in
      state.isKilled = true
      return state.process
    }
    process?.kill()
  }

  /// Runs the extension to the end of its process.
  private func serve(_ request: RequestCopy) {
    let process: ConnectedProcess
    do throws(SpawnError) {
      process = try world.spawn()
    } catch {
      return finish(ExtensionEnd(rule: .failedStart, message: "the extension: \(error)"))
    }
    let isWanted = state.withLock { state in
      state.process = process
      return !state.isKilled
    }
    if !isWanted { process.kill() }
    while let bytes = process.channel.receive() {
      guard let frame = Frame<ExtensionMessage>(bytes), case .message(let message) = frame else {
        fail(.crashed, "the extension wrote nonsense to its host's channel")
        break
      }
      receive(message, from: process, request)
    }
    process.kill()
    finish(ExtensionEnd(process.wait(), isStarted: watch.isStarted))
  }

  private func receive(
    _ message: ExtensionMessage, from process: ConnectedProcess, _ request: RequestCopy
  ) {
    switch message {
    case .ready:
      guard watch.start(process, exceeded: { self.fail(.memoryLimit, $0) }) else { return }
      let assignment = world.assignment(request)
      process.send(.receive(call: Self.firstCall, assignment))
    case .launched: events(.launched)
    case .done(let call, let stops): end(call, stops: stops)
    case .replied(let content, let categories):
      watch.sample(process)
      // Seen here first, it is none the less over its limit.
      if let excess = watch.excess { fail(.memoryLimit, excess) }
      take(content, categories)
      process.send(.taken)
    case .time(let ask): process.send(.time(reply: ask, world.clock.now))
    case .schedule(let work, let delay): schedule(work, after: delay)
    case .cancel(let work): state.withLock { $0.work.removeValue(forKey: work) }?.cancel()
    case .load(let load, let request): begin(load, request)
    case .cancelLoad(let load): state.withLock { $0.loads[load] }?.cancel()
    case .hold(let hold, let patience): self.hold(hold, patience: patience)
    case .release(let hold): state.withLock { $0.holds.removeValue(forKey: hold) }?.release()
    case .note(let value): world.program.noted(value)
    }
  }

  private func take(_ content: WireContent, _ categories: [WireCategory]?) {
    let (isFirst, isFaulty) = state.withLock { state in
      let isFaulty = state.fault != nil
      guard !state.hasReplied, !state.isKilled, !isFaulty else { return (false, isFaulty) }
      state.hasReplied = true
      return (true, false)
    }
    // Of one that is ended for a fault no reply counts, and its end is still to be told.
    if isFaulty { return }
    guard isFirst else { return events(.repliedAgain) }
    releaseHolds()
    if let categories { WireCategory.set(categories, in: world.app.center) }
    events(.replied(world.store.take(content.content)))
    watch.hasReplied()
  }

  // MARK: Calls

  /// Calls into the extension; virtual time does not jump until it has returned.
  private func call(
    answer: (@Sendable (Bool) -> Void)? = nil, _ frame: (Int) -> Frame<HostMessage>
  ) {
    let hold = world.clock.hold(patience: Self.patience)
    let number: (Int, ConnectedProcess)? = state.withLock { state in
      guard !state.isOver, let process = state.process else { return nil }
      state.lastCall += 1
      state.calls[state.lastCall] = Call(hold: hold, answer: answer)
      return (state.lastCall, process)
    }
    guard let (number, process) = number else {
      hold.release()
      answer?(true)
      return
    }
    process.channel.send(frame(number).bytes)
  }

  /// The extension has returned from a call.
  ///
  /// One that has replied and has nothing more to do is ended,
  /// as the system suspends it.
  private func end(_ number: Int, stops: Bool) {
    let (call, isIdle) = state.withLock { state in
      let call = state.calls.removeValue(forKey: number)
      return (call, state.hasReplied && state.calls.isEmpty)
    }
    call?.answer?(stops)
    call?.hold.release()
    if isIdle { kill() }
  }

  private func schedule(_ number: Int, after delay: Duration) {
    let work = world.clock.schedule(after: delay) {
      self.state.withLock { $0.work[number] = nil }
      self.call { .message(.fire(call: $0, work: number)) }
    }
    keep { $0.work[number] = work }
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
    guard let network = world.app.network else {
      return sink.finish(MediaLoadError(.offline, "the host has no network"))
    }
    let load = network.load(request.request, into: sink)
    keep { $0.loads[number] = load }
  }

  private func keep(_ change: @Sendable (inout State) -> Void) {
    let isTooMany = state.withLock { state in
      change(&state)
      return max(state.work.count, state.loads.count, state.holds.count) > Self.mostAtOnce
    }
    if isTooMany {
      fail(.crashed, "the extension has more than \(Self.mostAtOnce) things under way")
    }
  }

  /// One that has replied holds nothing up any more.
  private func hold(_ number: Int, patience: Duration) {
    guard !state.withLock({ $0.hasReplied }) else { return }
    let hold = world.clock.hold(patience: patience)
    keep { $0.holds[number] = hold }
  }

  private func releaseHolds() {
    let holds = state.withLock { state in
      defer { state.holds = [:] }
      return state.holds.values.map(\.self)
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
      defer {
        state = State(hasReplied: state.hasReplied, isKilled: state.isKilled, isOver: true)
      }
      return state
    }
    for work in last.work.values { work.cancel() }
    for load in last.loads.values { load.cancel() }
    if !last.hasReplied, !last.isKilled { events(.ended(last.fault ?? end)) }
    for call in last.calls.values {
      call.answer?(true)
      call.hold.release()
    }
  }
}

extension ConnectedProcess {
  fileprivate func send(_ message: HostMessage) {
    channel.send(Frame<HostMessage>.message(message).bytes)
  }
}
