import APNs
import PushModel

/// The requests to Apple's channel management, whose refusals become those of the caller's request.
extension PushSender {
  /// Creates a channel, and returns its id.
  ///
  /// - Throws: ``RequestError`` `.conflict` if Apple refuses it, `.unavailable` if Apple does not answer.
  func createChannel(
    of app: App, storing storage: Channel.Storage, development: Bool
  ) async throws -> String {
    try await askChannels(of: app, development: development) {
      try await $0.create(storing: storage == .mostRecent ? .mostRecent : .none).id
    }
  }

  /// Deletes a channel; one that Apple does not know counts as deleted.
  ///
  /// - Throws: ``RequestError`` `.conflict` if Apple refuses it, `.unavailable` if Apple does not answer.
  func deleteChannel(_ id: String, of app: App, development: Bool) async throws {
    try await askChannels(of: app, development: development) { channels in
      do throws(APNsChannelError) {
        try await channels.delete(id)
      } catch {
        // Apple has deleted the channel before. Apple also answers `BadPath` for an unknown one.
        let reason = error.outcome.reason
        guard reason == .channelNotRegistered || reason == .badPath else { throw error }
      }
    }
  }

  private func askChannels<T>(
    of app: App, development: Bool, _ request: (any PushChannels) async throws -> T
  ) async throws -> T {
    do {
      return try await request(try await channels(of: app, development: development))
    } catch let error as APNsChannelError {
      guard error.outcome.kind == .answered, let status = error.outcome.status, status < 500,
        status != 429
      else {
        throw RequestError(
          .unavailable,
          "Apple's channel management did not do this: \(error); try again",
          wait: 10)
      }
      throw RequestError(.conflict, "Apple refuses this: \(error)")
    } catch let error as APNsError {
      throw RequestError(.conflict, "the app's key cannot be used: \(error)")
    }
  }
}
