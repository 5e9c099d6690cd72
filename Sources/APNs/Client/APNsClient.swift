import Synchronization
import _EventLoop

/// Sends pushes to Apple over a few HTTP/2 connections that it keeps.
///
/// The first opens with the first push, and others where pushes would wait
/// (``Configuration/maxConnections``); one that is lost is replaced. Pushes travel side by side as far as
/// APNs allows, each with its own deadline, and every one ends as an ``APNsOutcome``. `send` never throws, and
/// a peer cannot crash it. Make one client and keep it: Apple takes many connections in a short time for an
/// attack.
public final class APNsClient: Sendable {
  /// One set of credentials has one pool at each host.
  private struct Pools {
    var pushes: Transport
    /// Made by the first call about channels.
    var channels: Transport?
    /// With the credentials that are in use now.
    var configuration: Configuration
    /// Those who run the client until it is closed.
    var runners: [AsyncStream<Never>.Continuation] = []
    var isClosed = false

    var all: [Transport] { [pushes] + [channels].compactMap(\.self) }
  }

  private let pools: Mutex<Pools>
  private let loop: EventLoop
  private let numbers = ConnectionNumbers()

  var transport: Transport { pools.withLock { $0.pushes } }

  /// Makes a client; connects with the first push.
  ///
  /// - Parameter configuration: Credentials, endpoint and limits.
  /// - Throws: ``APNsError`` where the key or the extra trust cannot be read.
  public init(configuration: Configuration) throws(APNsError) {
    do throws(SystemError) { loop = try EventLoop(name: "apns") } catch {
      throw APNsError(.system, "no thread can be started: \(error)", cause: error)
    }
    let transport = Transport(
      configuration, loop: loop, identity: try PoolIdentity(configuration), numbers: numbers)
    pools = Mutex(Pools(pushes: transport, configuration: configuration))
    configuration.warnOfKey()
  }

  deinit {
    let left = pools.withLock { $0.isClosed ? [] : $0.all }
    for transport in left { transport.abandon() }
  }

  /// Sends one push and waits for its outcome.
  ///
  /// - Parameter notification: The push.
  /// - Returns: What became of it.
  public func send(_ notification: APNsNotification) async -> APNsOutcome {
    await transport.send([notification])[0]
  }

  /// Sends many pushes side by side and waits for all outcomes.
  ///
  /// A batch is handed over at once, so that it costs one wake-up and not one a push.
  ///
  /// - Parameter notifications: The pushes.
  /// - Returns: One outcome for each, in the same order.
  public func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    await transport.send(notifications)
  }

  /// Sends the pushes of a sequence, however long it is, with back-pressure both ways.
  ///
  /// ```swift
  /// for try await sent in client.send(pushes) where !sent.outcome.isSuccess { … }
  /// ```
  ///
  /// - Parameters:
  ///   - pushes: The pushes; the next one is asked for where there is room in the window.
  ///   - window: How many may be on their way, or have an outcome that was not read yet; from 1.
  /// - Returns: Each push with its outcome, in the order of their ends.
  public func send<Pushes: AsyncSequence & Sendable>(
    _ pushes: Pushes, window: Int = 4000
  ) -> APNsOutcomes<Pushes> where Pushes.Element == APNsNotification {
    APNsOutcomes(pushes: pushes, window: window, client: self)
  }

  /// Runs something with a client that is closed after it, whatever happens in it.
  ///
  /// - Parameters:
  ///   - configuration: Credentials, endpoint and limits.
  ///   - body: What to do with the client.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``APNsError`` where the client cannot be made.
  public static func with<Result>(
    _ configuration: Configuration, _ body: (APNsClient) async throws -> Result
  ) async throws -> Result {
    let client = try APNsClient(configuration: configuration)
    do {
      let result = try await body(client)
      await client.close()
      return result
    } catch {
      await client.close()
      throw error
    }
  }

  /// Keeps the client open until the task is cancelled, and then sends what was handed over.
  ///
  /// For a service that runs beside others in a task group: pushes that come after the cancellation are
  /// never sent, those before have their outcome, and the connections are closed. Also returns once the
  /// client is closed by ``close()``.
  public func run() async {
    let (end, runner) = AsyncStream<Never>.makeStream()
    let isClosed = pools.withLock { pools in
      if !pools.isClosed { pools.runners.append(runner) }
      return pools.isClosed
    }
    if isClosed { return }
    for await _ in end {}
    for transport in shut() { await transport.drain() }
  }

  /// Ends all connections after the answers that are due; pushes still waiting are never sent.
  public func close() async { for transport in shut() { await transport.close() } }

  /// Makes no pool any more, and says which there are.
  private func shut() -> [Transport] {
    let (all, runners) = pools.withLock { pools in
      pools.isClosed = true
      defer { pools.runners = [] }
      return (pools.all, pools.runners)
    }
    for runner in runners { runner.finish() }
    return all
  }

  /// The broadcast channels of an app.
  ///
  /// - Parameter bundleID: The app's bundle id, without the suffix of a topic.
  /// - Returns: What calls are made with; it costs nothing.
  public func channels(ofBundleID bundleID: String) -> APNsChannels {
    APNsChannels(bundleID: bundleID, client: self)
  }

  /// The pool of the host where channels are managed.
  func channelTransport() throws(APNsError) -> Transport {
    try pools.withLock { pools throws(APNsError) in
      if let channels = pools.channels { return channels }
      var configuration = pools.configuration
      configuration.endpoint = configuration.channelEndpoint ?? configuration.endpoint.channels
      configuration.maxConnections = 1
      let made = Transport(
        configuration, loop: loop, identity: try PoolIdentity(configuration), numbers: numbers)
      pools.channels = made
      return made
    }
  }
}

// MARK: Credentials

extension APNsClient {
  /// Sends with other credentials from now on: a new key, or a new certificate before the old one ends.
  ///
  /// They get connections of their own, because APNs ties a connection to the key it saw first. Pushes that
  /// have left have their answers on the old connections; those that wait go out with the new credentials,
  /// and none is lost. Returns when the old connections have ended.
  ///
  /// - Parameter credentials: What proves to APNs who sends.
  /// - Throws: ``APNsError`` where they cannot be read; the client then keeps those it has.
  public func rotate(to credentials: APNsCredentials) async throws(APNsError) {
    var configuration = pools.withLock { $0.configuration }
    configuration.credentials = credentials
    // One for each host.
    let identities = [try PoolIdentity(configuration), try PoolIdentity(configuration)]
    let open = pools.withLock { pools in
      guard !pools.isClosed else { return [Transport]() }
      pools.configuration.credentials = credentials
      return pools.all
    }
    configuration.warnOfKey()
    await withTaskGroup { group in
      for (transport, identity) in zip(open, identities) {
        group.addTask { await transport.change(to: identity) }
      }
    }
  }
}

extension APNsClient.Configuration {
  /// Tells the metrics what is unsafe about the key, once for each set of credentials.
  fileprivate func warnOfKey() {
    guard case .token(let credentials) = credentials.kind, let warning = credentials.warning else {
      return
    }
    metrics?.warned(warning)
  }
}
