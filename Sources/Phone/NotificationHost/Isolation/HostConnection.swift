import Foundation
package import MediaLoading
package import PushPayload
package import RichNotifications
import _Spawn

/// The connection of an extension process to its host, which is the extension's clock and network.
package final class HostConnection: Sendable {
  private struct State: Sendable {
    var lastNumber = 0
    var work: [Int: @Sendable () -> Void] = [:]
    var sinks: [Int: any MediaSink] = [:]
    /// The requests for the host's time that wait for a reply.
    var timeRequests: [Int: @Sendable (Duration) -> Void] = [:]
  }

  private let channel: FrameChannel
  private let state = Locked(State())
  /// Runs due work and responses one after the other, as the host's clock does.
  private let queue = DispatchQueue(label: "martlet.host-connection")

  init(_ channel: FrameChannel) { self.channel = channel }

  /// Sends a value to the host, which passes it to ``ExtensionProcess/noted``.
  package func note(_ value: JSONValue) { send(.note(value)) }

  func send(_ message: ExtensionMessage) { channel.send(Frame.message(message).bytes) }

  // MARK: Messages of the host

  func fire(call: Int, work number: Int) {
    queue.async {
      self.state.withLock { $0.work.removeValue(forKey: number) }?()
      self.send(.done(call: call, stops: false))
    }
  }

  func receive(_ head: MediaResponseHead, call: Int, load: Int) {
    callSink(of: load, call: call) { $0.receive(head) }
  }

  func receive(_ piece: [UInt8], call: Int, load: Int) {
    callSink(of: load, call: call) { sink in piece.withUnsafeBytes(sink.receive) }
  }

  func finish(call: Int, load: Int, error: MediaLoadError?) {
    queue.async {
      self.state.withLock { $0.sinks.removeValue(forKey: load) }?.finish(error)
      self.send(.done(call: call, stops: false))
    }
  }

  func receive(time: Duration, reply: Int) {
    state.withLock { $0.timeRequests.removeValue(forKey: reply) }?(time)
  }

  private func callSink(
    of load: Int, call: Int,
    body: @escaping @Sendable (any MediaSink) -> MediaLoadDisposition
  ) {
    queue.async {
      let sink = self.state.withLock { $0.sinks[load] }
      let disposition = sink.map(body) ?? .stop
      self.send(.done(call: call, stops: disposition == .stop))
    }
  }

  /// Assigns a number, and stores something under it.
  private func makeNumber(_ store: @Sendable (inout State, Int) -> Void) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      store(&state, state.lastNumber)
      return state.lastNumber
    }
  }

  private struct Work: ScheduledWork {
    let host: HostConnection
    let number: Int

    func cancel() {
      let work = host.state.withLock { $0.work.removeValue(forKey: number) }
      if work != nil { host.send(.cancel(work: number)) }
    }
  }

  private struct Hold: ClockHold {
    let host: HostConnection
    let number: Int
    func release() { host.send(.release(number)) }
  }

  private struct Load: MediaLoad {
    let host: HostConnection
    let number: Int
    func cancel() { host.send(.cancelLoad(load: number)) }
  }
}

extension HostConnection: HostClock {
  /// The host's time, which is requested over the channel.
  package var now: Duration {
    let answer = Locked(Duration.zero)
    let answered = DispatchSemaphore(value: 0)
    let number = makeNumber { state, number in
      state.timeRequests[number] = { time in
        answer.withLock { $0 = time }
        answered.signal()
      }
    }
    send(.time(ask: number))
    answered.wait()  // Does not block forever: this process ends with its host.
    return answer.withLock { $0 }
  }

  package func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let number = makeNumber { state, number in state.work[number] = work }
    send(.schedule(work: number, after: delay))
    return Work(host: self, number: number)
  }

  package func hold(freezeLimit: Duration) -> any ClockHold {
    let number = makeNumber { _, _ in }
    send(.hold(number, freezeLimit: freezeLimit))
    return Hold(host: self, number: number)
  }
}

extension HostConnection: MediaLoader {
  package func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let number = makeNumber { state, number in state.sinks[number] = sink }
    send(.load(load: number, WireRequest(request)))
    return Load(host: self, number: number)
  }
}
