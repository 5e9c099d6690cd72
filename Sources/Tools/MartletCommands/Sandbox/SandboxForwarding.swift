package import APNsSandbox

/// A receiver of the pushes that the sandbox has accepted.
package protocol SandboxForwarding: Sendable {
  /// Shows one push.
  ///
  /// It is called for several phones at the same time, but for one phone's pushes in order, outside
  /// the sandbox's threads.
  func forward(_ delivery: SandboxDelivery) async throws -> ForwardedPush
}

/// The card of one push on a simulated phone.
package struct ForwardedPush: Hashable, Sendable {
  /// The path of the picture; `nil` if the push shows nothing.
  package var card: String?
  /// The text of the notification, for screen readers; without a card, the reason why there is none.
  package var text: String
}

extension SandboxForwarding {
  /// Forwards pushes until the stream has ended and all of them were shown.
  func run(
    _ deliveries: AsyncStream<SandboxDelivery>,
    shown: @escaping @Sendable (SandboxDelivery, ForwardedPush) -> Void,
    failed: @escaping @Sendable (any Error) -> Void
  ) async {
    let (events, event) = AsyncStream<ForwardingEvent>.makeStream()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await delivery in deliveries { event.yield(.arrived(delivery)) }
        event.yield(.ended)
      }
      var queues = PhoneQueues()
      var isEnding = false
      for await next in events {
        switch next {
        case .arrived(let delivery):
          if !queues.add(delivery) { failed(ForwardingError.tooMany) }
        case .finished(let delivery): queues.finished(delivery)
        case .ended: isEnding = true
        }
        while let delivery = queues.next() {
          group.addTask {
            do { shown(delivery, try await forward(delivery)) } catch { failed(error) }
            event.yield(.finished(delivery))
          }
        }
        if isEnding, queues.isEmpty { event.finish() }
      }
    }
  }
}

private enum ForwardingEvent {
  case arrived(SandboxDelivery)
  case finished(SandboxDelivery)
  /// The stream of pushes has ended.
  case ended
}

/// The reason why a push was not forwarded.
struct ForwardingError: Error, CustomStringConvertible {
  let description: String

  static let tooMany = ForwardingError(
    description:
      "--forward: a push was dropped, because \(PhoneQueues.limit) wait for their phones; send more slowly"
  )
}
