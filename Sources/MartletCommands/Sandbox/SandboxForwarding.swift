package import APNsSandbox

/// Makes something of each push that the sandbox accepted.
package protocol SandboxForwarding: Sendable {
  /// Called off the sandbox's thread, for several phones at once and for one phone's pushes in order.
  func forward(_ delivery: SandboxDelivery) async throws -> ForwardedPush
}

/// What a simulated phone shows.
package struct ForwardedPush: Hashable, Sendable {
  /// The path of the picture; `nil` where the person sees nothing.
  package var card: String?
  /// What the picture says, for those who do not see it.
  package var text: String
}

extension SandboxForwarding {
  /// Forwards all that comes, and returns when nothing more comes and all is done.
  func run(
    _ deliveries: AsyncStream<SandboxDelivery>,
    shown: @escaping @Sendable (SandboxDelivery, ForwardedPush) -> Void,
    failed: @escaping @Sendable (any Error) -> Void
  ) async {
    let (events, event) = AsyncStream<ForwardingEvent>.makeStream()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await delivery in deliveries { event.yield(.came(delivery)) }
        event.yield(.ended)
      }
      var queues = PhoneQueues()
      var isEnding = false
      for await next in events {
        switch next {
        case .came(let delivery):
          if !queues.add(delivery) { failed(ForwardingError.tooMany) }
        case .done(let delivery): queues.finished(delivery)
        case .ended: isEnding = true
        }
        while let delivery = queues.next() {
          group.addTask {
            do { shown(delivery, try await forward(delivery)) } catch { failed(error) }
            event.yield(.done(delivery))
          }
        }
        if isEnding, queues.isEmpty { event.finish() }
      }
    }
  }
}

private enum ForwardingEvent {
  case came(SandboxDelivery)
  case done(SandboxDelivery)
  /// No more come.
  case ended
}

/// A push that no phone is shown.
struct ForwardingError: Error, CustomStringConvertible {
  let description: String

  static let tooMany = ForwardingError(
    description:
      "--forward: a push was left out, as \(PhoneQueues.limit) wait for their phones; send more slowly"
  )
}
