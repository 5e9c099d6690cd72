import Foundation
package import MediaLoading
package import PushPayload
package import RichNotifications
import _Spawn

/// The phone as an extension in a process of its own sees it: clock and network are the host's, over
/// the channel.
package final class HostedWorld: Sendable {
  private struct State: Sendable {
    var lastNumber = 0
    var work: [Int: @Sendable () -> Void] = [:]
    var sinks: [Int: any MediaSink] = [:]
    var asking: [Int: @Sendable (Duration) -> Void] = [:]
  }

  private let channel: FrameChannel
  private let state = HostLocked(State())
  /// Due work and what comes from the network, one after the other, as on the host's clock.
  private let turn = DispatchQueue(label: "martlet.hosted-world")

  init(_ channel: FrameChannel) { self.channel = channel }

  /// Tells the host something besides.
  package func note(_ value: JSONValue) { send(.note(value)) }

  func send(_ message: ExtensionMessage) { channel.send(Frame.message(message).bytes) }

  // MARK: What the host says

  func fire(call: Int, work number: Int) {
    turn.async {
      self.state.withLock { $0.work.removeValue(forKey: number) }?()
      self.send(.done(call: call, stops: false))
    }
  }

  func receive(_ head: MediaResponseHead, call: Int, load: Int) {
    forSink(of: load, call) { $0.receive(head) }
  }

  func receive(_ piece: [UInt8], call: Int, load: Int) {
    forSink(of: load, call) { sink in piece.withUnsafeBytes(sink.receive) }
  }

  func finish(call: Int, load: Int, _ error: MediaLoadError?) {
    turn.async {
      self.state.withLock { $0.sinks.removeValue(forKey: load) }?.finish(error)
      self.send(.done(call: call, stops: false))
    }
  }

  func time(_ time: Duration, reply: Int) {
    state.withLock { $0.asking.removeValue(forKey: reply) }?(time)
  }

  private func forSink(
    of load: Int, _ call: Int, _ body: @escaping @Sendable (any MediaSink) -> MediaLoadDisposition
  ) {
    turn.async {
      let sink = self.state.withLock { $0.sinks[load] }
      let disposition = sink.map(body) ?? .stop
      self.send(.done(call: call, stops: disposition == .stop))
    }
  }

  private func number(_ keep: @Sendable (inout State, Int) -> Void) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      keep(&state, state.lastNumber)
      return state.lastNumber
    }
  }

  private struct Work: ScheduledWork {
    let world: HostedWorld
    let number: Int

    func cancel() {
      let work = world.state.withLock { $0.work.removeValue(forKey: number) }
      if work != nil { world.send(.cancel(work: number)) }
    }
  }

  private struct Hold: ClockHold {
    let world: HostedWorld
    let number: Int
    func release() { world.send(.release(number)) }
  }

  private struct Load: MediaLoad {
    let world: HostedWorld
    let number: Int
    func cancel() { world.send(.cancelLoad(load: number)) }
  }
}

extension HostedWorld: HostClock {
  /// The host's time, which the host alone knows.
  package var now: Duration {
    let answer = HostLocked(Duration.zero)
    let answered = DispatchSemaphore(value: 0)
    let number = number { state, number in
      state.asking[number] = { time in
        answer.withLock { $0 = time }
        answered.signal()
      }
    }
    send(.time(ask: number))
    answered.wait()  // Without a host there is no process either.
    return answer.withLock { $0 }
  }

  package func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let number = number { state, number in state.work[number] = work }
    send(.schedule(work: number, after: delay))
    return Work(world: self, number: number)
  }

  package func hold(patience: Duration) -> any ClockHold {
    let number = number { _, _ in }
    send(.hold(number, patience: patience))
    return Hold(world: self, number: number)
  }
}

extension HostedWorld: MediaLoader {
  package func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let number = number { state, number in state.sinks[number] = sink }
    send(.load(load: number, WireRequest(request)))
    return Load(world: self, number: number)
  }
}
