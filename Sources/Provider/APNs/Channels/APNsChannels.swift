import FoundationEssentials
import PushPayload

/// The broadcast channels of one app: one push reaches every Live Activity that subscribed.
///
/// Channels are managed at a host of their own, ``APNsClient/Configuration/channelEndpoint``; broadcasts go to the
/// host of pushes. An app has up to 10,000 channels in each environment. Source: Apple's "Sending channel
/// management requests to APNs".
///
/// ```swift
/// let channels = client.channels(ofBundleID: "com.example.app")
/// let match = try await channels.create(storing: .mostRecent)
/// let outcome = await channels.send(
///   APNsBroadcast(to: match, expiration: .at(end), payload: payload))
/// ```
public struct APNsChannels: Sendable {
  let bundleID: String
  let client: APNsClient

  /// Creates a channel; APNs assigns its id.
  ///
  /// - Parameter storage: The message storage policy, which cannot be changed later.
  /// - Returns: The channel.
  /// - Throws: ``APNsChannelError``. If its outcome is maybe sent, ``all()`` shows whether the channel exists.
  public func create(
    storing storage: APNsChannel.Storage
  ) async throws(APNsChannelError) -> APNsChannel {
    let answer = try await call(.create(storage), expecting: 201)
    guard let id = answer.channelID, !id.isEmpty else {
      throw APNsChannelError(answer, "APNs made a channel and did not name it")
    }
    return APNsChannel(id: id, storage: storage)
  }

  /// Reads the configuration of a channel.
  ///
  /// - Parameter id: The channel id.
  /// - Returns: The channel.
  /// - Throws: ``APNsChannelError``; an unknown channel is ``APNsReason/channelNotRegistered``.
  public func read(_ id: String) async throws(APNsChannelError) -> APNsChannel {
    let answer = try await call(.read(channel: id), expecting: 200)
    guard let number = answer.json?["message-storage-policy"]?.integer,
      let policy = Int(exactly: number)
    else { throw APNsChannelError(answer, "APNs answered without the storage policy") }
    return APNsChannel(id: id, storage: APNsChannel.Storage(rawValue: policy))
  }

  /// Deletes a channel; a push that APNs has stored may still arrive.
  ///
  /// - Parameter id: The channel id.
  /// - Throws: ``APNsChannelError``.
  public func delete(_ id: String) async throws(APNsChannelError) {
    _ = try await call(.delete(channel: id), expecting: 204)
  }

  /// Reads the ids of all channels of the app.
  ///
  /// - Returns: The ids, in the order in which APNs lists them.
  /// - Throws: ``APNsChannelError``; also if the list is longer than 4 MiB.
  public func all() async throws(APNsChannelError) -> [String] {
    let answer = try await call(.list, expecting: 200)
    guard !answer.isCut else {
      throw APNsChannelError(answer, "the list of channels is longer than 4 MiB")
    }
    let ids = answer.json?["channels"]?.array?.map(\.string)
    guard let ids, !ids.contains(nil) else {
      throw APNsChannelError(answer, "APNs answered without the list of channels")
    }
    return ids.compactMap(\.self)
  }

  /// Sends a push to all subscribers of a channel.
  ///
  /// - Parameter broadcast: The push.
  /// - Returns: The outcome; its ``APNsOutcome/apnsID`` is the `apns-request-id`.
  public func send(_ broadcast: APNsBroadcast) async -> APNsOutcome {
    let call = ChannelCall(.broadcast(broadcast), bundleID: bundleID)
    return await client.transport.call(call).outcome(ofID: call.id)
  }

  private func call(
    _ kind: ChannelCall.Kind, expecting status: Int
  ) async throws(APNsChannelError) -> PushAnswer {
    let call = ChannelCall(kind, bundleID: bundleID)
    let transport: Transport
    do throws(APNsError) { transport = try client.channelTransport() } catch {
      throw APNsChannelError(PushResult.neverSent(error.message).outcome(ofID: call.id))
    }
    let result = await transport.call(call)
    guard case .answered(let answer) = result, answer.status == status else {
      throw APNsChannelError(result.outcome(ofID: call.id))
    }
    return answer
  }
}
