import FoundationEssentials
import PushPayload

/// The broadcast channels of one app: one push reaches every Live Activity that subscribed.
///
/// Channels are made and removed at a host of their own, ``APNsClient/Configuration/channelEndpoint``;
/// broadcasts go to the one that takes pushes. An app has up to 10,000 in each environment. Source: Apple's
/// "Sending channel management requests to APNs".
///
/// ```swift
/// let channels = client.channels(ofBundleID: "com.example.app")
/// let match = try await channels.create(storing: .mostRecent)
/// let outcome = await channels.send(APNsBroadcast(to: match, expiration: end, payload: payload))
/// ```
public struct APNsChannels: Sendable {
  let bundleID: String
  let client: APNsClient

  /// Makes a channel; APNs chooses its id.
  ///
  /// - Parameter storage: What APNs keeps for devices that are out of reach; fixed from then on.
  /// - Returns: The channel.
  /// - Throws: ``APNsChannelError``; where it was maybe made, ``all()`` says so.
  public func create(
    storing storage: APNsChannel.Storage
  ) async throws(APNsChannelError) -> APNsChannel {
    let answer = try await call(.create(storage), expecting: 201)
    guard let id = answer.channelID, !id.isEmpty else {
      throw APNsChannelError(answer, "APNs made a channel and did not name it")
    }
    return APNsChannel(id: id, storage: storage)
  }

  /// Asks what is known of a channel.
  ///
  /// - Parameter id: Its id.
  /// - Returns: The channel.
  /// - Throws: ``APNsChannelError``; an unknown channel is ``APNsReason/channelNotRegistered``.
  public func read(_ id: String) async throws(APNsChannelError) -> APNsChannel {
    let answer = try await call(.read(channel: id), expecting: 200)
    guard let number = answer.json?["message-storage-policy"]?.integer,
      let policy = Int(exactly: number)
    else { throw APNsChannelError(answer, "APNs answered without the storage policy") }
    return APNsChannel(id: id, storage: APNsChannel.Storage(rawValue: policy))
  }

  /// Removes a channel for good; a push that APNs has stored may still arrive.
  ///
  /// - Parameter id: Its id.
  /// - Throws: ``APNsChannelError``.
  public func delete(_ id: String) async throws(APNsChannelError) {
    _ = try await call(.delete(channel: id), expecting: 204)
  }

  /// Asks for the ids of all channels of the app.
  ///
  /// - Returns: The ids, in the order of APNs.
  /// - Throws: ``APNsChannelError``; also where the list is longer than 4 MiB.
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

  /// Sends a push to all who subscribed to a channel.
  ///
  /// - Parameter broadcast: The push.
  /// - Returns: What became of it; its ``APNsOutcome/apnsID`` is the `apns-request-id`.
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

/// A broadcast channel.
public struct APNsChannel: Hashable, Sendable {
  /// What APNs keeps of a channel's pushes for devices that are out of reach.
  ///
  /// Open: a policy that Apple adds is made from its number.
  public struct Storage: RawRepresentable, Hashable, Sendable {
    /// The `message-storage-policy`.
    public var rawValue: Int

    /// Makes a policy from its number.
    ///
    /// - Parameter rawValue: The `message-storage-policy`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing: a larger budget of pushes, and no expiration but 0.
    public static let none = Storage(rawValue: 0)
    /// The most recent push, for up to eight hours.
    public static let mostRecent = Storage(rawValue: 1)
  }

  /// What APNs named it, in base64.
  public var id: String
  /// What APNs keeps; `nil` where it is not known here.
  public var storage: Storage?

  /// Names a channel that was made before.
  ///
  /// - Parameters:
  ///   - id: What APNs named it.
  ///   - storage: What APNs keeps; with `nil` APNs alone checks the expiration.
  public init(id: String, storage: Storage? = nil) {
    self.id = id
    self.storage = storage
  }
}

/// One push to all who subscribed to a channel: an update or the end of a Live Activity.
public struct APNsBroadcast: Hashable, Sendable {
  /// Where it goes.
  public var channel: APNsChannel
  /// Seconds since 1970 after which it is worthless; 0 is one attempt without storing.
  public var expiration: Int64
  /// 10 at once, 5 considering power, 1 never waking the device.
  public var priority: Int
  /// The `apns-request-id` header: a lower-case UUID.
  public var id: String
  /// The JSON body, at most 5120 bytes.
  public var payload: [UInt8]

  /// Makes a broadcast.
  ///
  /// - Parameters:
  ///   - channel: Where it goes.
  ///   - expiration: Seconds since 1970; 0 is one attempt, and all that a channel without storage takes.
  ///   - priority: 10, 5 or 1.
  ///   - id: A lower-case UUID; a new one when left out.
  ///   - payload: The encoded JSON.
  public init(
    to channel: APNsChannel, expiration: Int64 = 0, priority: Int = 10, id: String? = nil,
    payload: [UInt8]
  ) {
    self.channel = channel
    self.expiration = expiration
    self.priority = priority
    self.id = id ?? APNsNotification.newID()
    self.payload = payload
  }
}

/// Why a call about channels did not do what was asked.
public struct APNsChannelError: Error, Sendable, CustomStringConvertible {
  /// How far the call came, and Apple's status and reason where there are such.
  ///
  /// Its ``APNsOutcome/retry(hasCollapseID:)`` says when to try again.
  public var outcome: APNsOutcome

  init(_ outcome: APNsOutcome) { self.outcome = outcome }

  init(_ answer: PushAnswer, _ message: String) {
    outcome = answer.outcome(ofID: "")
    outcome.message = message
  }

  /// What went wrong, in one line.
  public var description: String {
    let head = outcome.kind == .answered ? "APNs answered" : outcome.kind.rawValue
    let parts = [head, outcome.status.map(String.init), outcome.reason?.rawValue]
    let text = parts.compactMap(\.self).joined(separator: " ")
    return outcome.message.map { "\(text): \($0)" } ?? text
  }
}
