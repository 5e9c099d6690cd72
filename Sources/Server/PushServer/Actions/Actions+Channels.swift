import PushModel
import PushPayload

/// The changes of an app's broadcast channels, which Apple creates and deletes.
extension Actions {
  /// Creates the `channel` of a request at Apple, and stores it.
  ///
  /// - Throws: ``RequestError`` `.conflict` if Apple refuses it, `.unavailable` if Apple does not answer.
  func createChannel(_ field: BodyValue, by actor: Actor) async throws -> Channel {
    try actor.require(.send, to: "create a channel")
    let app = try await app(of: actor)
    let storage = try field.required("storage")
    guard let known = Channel.Storage(rawValue: try storage.string()) else {
      let words = Channel.Storage.allCases.map(\.rawValue).joined(separator: ", ")
      throw RequestError.refused(storage.path, "must be one of \(words)")
    }
    let isDevelopment = try field["development"]?.bool() ?? false
    let sender = try channelSender()
    let id = try await sender.createChannel(of: app, storing: known, development: isDevelopment)
    let channel = Channel(
      id: id, app: app.id, storage: known, isDevelopment: isDevelopment, createdAt: clock.now())
    do {
      try await store(for: actor, "channel.create", id).add(channel)
    } catch {
      // A channel that nobody knows would count toward Apple's limit for ever.
      try? await sender.deleteChannel(id, of: app, development: isDevelopment)
      throw error
    }
    return channel
  }

  /// Deletes a channel at Apple and then here, so that a request that failed between the two can be
  /// repeated.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such channel, `.conflict` if Apple refuses it,
  ///   `.unavailable` if Apple does not answer.
  func deleteChannel(_ id: String, by actor: Actor) async throws -> Channel {
    try actor.require(.send, to: "delete a channel")
    let app = try await app(of: actor)
    guard let channel = try await store.channel(id, app: app.id) else {
      throw RequestError.notFound("channel with this id")
    }
    try await channelSender().deleteChannel(id, of: app, development: channel.isDevelopment)
    guard try await store(for: actor, "channel.delete", id).removeChannel(id, app: app.id) else {
      throw RequestError.notFound("channel with this id")
    }
    return channel
  }

  private func channelSender() throws(RequestError) -> any PushSender {
    guard let sender else {
      throw RequestError(.unavailable, "this server sends no pushes", wait: 60)
    }
    return sender
  }
}
