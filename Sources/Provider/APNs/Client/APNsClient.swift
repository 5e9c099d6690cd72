import Synchronization
import _EventLoop

/// A client of APNs with a pool of HTTP/2 connections.
///
/// The first connection opens with the first push. Others open if pushes would wait (``Configuration/maxConnections``),
/// and a lost one is replaced. Pushes are sent concurrently, as far as APNs allows. Each has its own deadline, and each
/// ends with an ``APNsOutcome``. `send` does not throw, and nothing that a peer sends can crash it. Make one client and
/// keep it: Apple treats many connections in a short time as an attack.
///
/// ```swift
/// let configuration = APNsClient.Configuration(credentials: .token(key), endpoint: .production)
/// let client = try APNsClient(configuration: configuration)
/// let outcome = await client.send(notification)
/// print(outcome.isSuccess)
/// await client.close()
/// ```
public final class APNsClient: Sendable {
  /// The pools of the client: one for each host.
  private struct Pools {
    var pushes: Transport
    /// The pool of the host of channels; `nil` until the first request to it.
    var channels: Transport?
    /// The configuration, with the credentials that are in use.
    var configuration: Configuration
    /// The calls of ``APNsClient/run()`` that have not returned.
    var runners: [AsyncStream<Never>.Continuation] = []
    var isClosed = false

    var all: [Transport] { [pushes] + [channels].compactMap(\.self) }
  }

  private let pools: Mutex<Pools>
  private let loop: EventLoop
  private let numbers = ConnectionNumbers()

  var transport: Transport { pools.withLock { $0.pushes } }

  /// Makes a client that connects with the first push.
  ///
  /// - Parameter configuration: The credentials, endpoint and limits.
  /// - Throws: ``APNsError`` if the credentials or the extra trust cannot be read.
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
    let open = pools.withLock { $0.isClosed ? [] : $0.all }
    for transport in open { transport.abandon() }
  }

  /// Sends one push and waits for its outcome.
  ///
  /// - Parameter notification: The push.
  /// - Returns: The outcome.
  public func send(_ notification: APNsNotification) async -> APNsOutcome {
    await transport.send([notification])[0]
  }

  /// Sends many pushes concurrently and waits for all outcomes.
  ///
  /// A batch wakes the client's thread once, and not once for each push.
  ///
  /// - Parameter notifications: The pushes.
  /// - Returns: One outcome for each, in the same order.
  public func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    await transport.send(notifications)
  }

  /// Sends the pushes of a sequence of any length, with backpressure in both directions.
  ///
  /// ```swift
  /// for try await sent in client.send(pushes) where !sent.outcome.isSuccess {
  ///   print(sent.notification.deviceToken, sent.outcome)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - pushes: The pushes; the next one is requested while there is room in the window.
  ///   - window: The most pushes that are in flight or whose outcomes were not read, from 1.
  /// - Returns: Each push with its outcome, in the order in which they end.
  public func send<Pushes: AsyncSequence & Sendable>(
    _ pushes: Pushes, window: Int = 4000
  ) -> APNsOutcomes<Pushes> where Pushes.Element == APNsNotification {
    APNsOutcomes(pushes: pushes, window: window, client: self)
  }

  /// Runs a closure with a client, which is closed when the closure returns or throws.
  ///
  /// - Parameters:
  ///   - configuration: The credentials, endpoint and limits.
  ///   - body: The closure.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`, or ``APNsError`` if the client cannot be made.
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

  /// Keeps the client open until the task is cancelled, and then drains it.
  ///
  /// For a service that runs beside others in a task group. Pushes that were sent before the cancellation get their
  /// outcomes, later ones are never sent, and then the connections are closed. Also returns after ``close()``.
  public func run() async {
    let (end, runner) = AsyncStream<Never>.makeStream()
    let isClosed = pools.withLock { pools in
      if !pools.isClosed { pools.runners.append(runner) }
      return pools.isClosed
    }
    if isClosed { return }
    for await _ in end {}
    for transport in markClosed() { await transport.drain() }
  }

  /// Closes all connections after the answers that are due; waiting pushes are never sent.
  public func close() async { for transport in markClosed() { await transport.close() } }

  /// Marks the client as closed, so that no pool is made any more, and returns the pools.
  private func markClosed() -> [Transport] {
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
  /// - Parameter bundleID: The app's bundle id, without a topic suffix.
  /// - Returns: The channels; nothing is sent yet.
  public func channels(ofBundleID bundleID: String) -> APNsChannels {
    APNsChannels(bundleID: bundleID, client: self)
  }

  /// The pool of the host that manages channels.
  func channelTransport() throws(APNsError) -> Transport {
    try pools.withLock { pools throws(APNsError) in
      if let channels = pools.channels { return channels }
      if pools.isClosed { throw APNsError(.system, "the client is closed") }
      var configuration = pools.configuration
      configuration.endpoint = configuration.channelEndpoint ?? configuration.endpoint.channels
      configuration.maxConnections = 1
      let channels = Transport(
        configuration, loop: loop, identity: try PoolIdentity(configuration), numbers: numbers)
      pools.channels = channels
      return channels
    }
  }
}

// MARK: Credentials

extension APNsClient {
  /// Changes the credentials: to a new key, or to a new certificate before the old one expires.
  ///
  /// The new credentials get new connections, because APNs binds a connection to its first key. Pushes in flight are
  /// answered on the old connections, and waiting ones are sent with the new credentials, so no push is lost. Returns
  /// when the old connections have ended.
  ///
  /// - Parameter credentials: The new credentials.
  /// - Throws: ``APNsError`` if they cannot be read; the client then keeps the old ones.
  public func rotate(to credentials: APNsCredentials) async throws(APNsError) {
    let changes = try changes(to: credentials)
    await withTaskGroup { group in
      for (transport, identity) in changes {
        group.addTask { await transport.change(to: identity) }
      }
    }
  }

  /// Changes the credentials as ``rotate(to:)`` does, but does not wait for the old connections.
  ///
  /// Pushes that are sent after the return have the new credentials.
  package func use(_ credentials: APNsCredentials) async throws(APNsError) {
    for (transport, identity) in try changes(to: credentials) {
      _ = await transport.use(identity)
    }
  }

  /// The open pools, each with its new identity.
  private func changes(
    to credentials: APNsCredentials
  ) throws(APNsError) -> [(Transport, PoolIdentity)] {
    var configuration = pools.withLock { $0.configuration }
    configuration.credentials = credentials
    // One identity for each host.
    let identities = [try PoolIdentity(configuration), try PoolIdentity(configuration)]
    let open = pools.withLock { pools in
      guard !pools.isClosed else { return [Transport]() }
      pools.configuration.credentials = credentials
      return pools.all
    }
    configuration.warnOfKey()
    return Array(zip(open, identities))
  }
}

extension APNsClient.Configuration {
  /// Reports the warning about the key to the metrics, once for each set of credentials.
  fileprivate func warnOfKey() {
    guard case .token(let credentials) = credentials.kind, let warning = credentials.warning else {
      return
    }
    metrics?.warned(warning)
  }
}
