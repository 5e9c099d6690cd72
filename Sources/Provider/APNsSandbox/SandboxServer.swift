import FoundationEssentials
import _EventLoop
import _TLS

/// The server of a sandbox: accepts connections and distributes them over its threads.
///
/// It runs on the first thread, so that a sandbox with one connection has one thread.
actor SandboxServer {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let shared: SandboxShared
  private let rules: SandboxRules
  private var workers: [SandboxWorker] = []
  private var listener: (socket: Socket, watch: EventLoop.Registration)?
  private var connectionCount = 0
  /// Closes connections that have exceeded a timeout.
  private var timeoutTask: Task<Void, Never>?
  private var scriptTimers: [EventLoop.Registration] = []
  /// The number of faults that keep the port closed.
  private var closureCount = 0
  private var closedPort: UInt16?
  /// Whether the port is closed until the next script.
  private var isClosedForGood = false
  private var isStopping = false

  init(
    _ configuration: VirtualAPNs.Configuration, rules: SandboxRules, certificate: TLSContext
  ) throws(SystemError) {
    self.rules = rules
    shared = SandboxShared(configuration, certificate: certificate)
    loop = try EventLoop(name: "apns-sandbox")
  }

  func start() async throws(SandboxError) -> UInt16 {
    let port = try listen(shared.configuration.port)
    await run(shared.configuration.script)
    let (clock, period) = (shared.configuration.clock, shared.timeouts.period)
    timeoutTask = Task { [weak self] in
      while (try? await clock.sleep(for: period)) != nil {
        guard let workers = await self?.workers else { return }
        for worker in workers { await worker.checkTimeouts() }
      }
    }
    return port
  }

  func stop() async {
    isStopping = true
    timeoutTask?.cancel()
    await run(FaultScript())
    closeListener()
    await withTaskGroup { group in
      for worker in workers { group.addTask { await worker.stop() } }
    }
  }
}

// MARK: Connections

extension SandboxServer {
  private func listen(_ port: UInt16) throws(SandboxError) -> UInt16 {
    let host = shared.configuration.host
    do throws(SystemError) {
      let socket = try Socket.listening(on: try SocketAddress.lookUp(host: host, port: port)[0])
      let watch = try loop.watch(socket, for: .read) { [weak self] _ in
        self?.assumeIsolated { $0.accept() }
      }
      listener = (socket, watch)
      return socket.localPort
    } catch {
      let address = "\(host):\(port)"
      guard error.isAddressInUse else {
        throw SandboxError(.system, "cannot listen on \(address): \(error)", cause: error)
      }
      throw SandboxError(
        .addressInUse,
        "cannot listen on \(address): it is in use; stop what listens there or choose another port",
        cause: error)
    }
  }

  private func closeListener() {
    if let listener { loop.cancel(listener.watch) }
    listener = nil
  }

  private func accept() {
    do {
      while let socket = try listener?.socket.accepted() {
        connectionCount += 1
        worker(of: connectionCount).add(socket, connectionCount)
      }
    } catch {
      // No file descriptor is left: waiting connections are accepted once there are some again.
      guard let listener else { return }
      loop.change(listener.watch, to: [])
      _ = loop.schedule(at: .now + .milliseconds(100)) { [weak self] in
        self?.assumeIsolated { server in
          if let listener = server.listener { server.loop.change(listener.watch, to: .read) }
        }
      }
    }
  }

  /// The thread of a connection: as many as there are processors, each started when it is needed.
  private func worker(of connection: Int) -> SandboxWorker {
    let index = (connection - 1) % ProcessInfo.processInfo.activeProcessorCount
    if index < workers.count { return workers[index] }
    let worker = SandboxWorker(
      shared, rules: rules,
      // The first worker shares the server's thread, as does one whose thread cannot be started.
      loop: (workers.isEmpty ? nil : try? EventLoop(name: "apns-sandbox-\(index + 1)")) ?? loop,
      onRefusal: { [weak self, loop] duration in
        _ = loop.schedule(at: .now) { [weak self] in
          self?.assumeIsolated { $0.refuseConnections(duration) }
        }
      })
    workers.append(worker)
    return worker
  }
}

// MARK: Devices

extension SandboxServer {
  func disconnect(_ token: String) -> Bool { shared.disconnect(token) }
  func reconnect(_ token: String) { shared.reconnect(token) }
}

// MARK: Faults

extension SandboxServer {
  /// Starts a script in place of the last one.
  func run(_ script: FaultScript) async {
    for timer in scriptTimers { loop.cancel(timer) }
    if isClosedForGood, let closedPort {
      isClosedForGood = false
      reopen(closedPort)
    }
    let (start, moments) = shared.script.begin(script)
    scriptTimers = moments.filter { $0 > .zero }.map { moment in
      loop.schedule(at: start + moment) { [weak self] in
        self?.assumeIsolated { $0.applyFaults(at: moment) }
      }
    }
    applyFaults(at: .zero)
    // Faults that are due at once have been applied when this returns.
    for worker in workers { await worker.finishScheduledWork() }
  }

  /// Applies the faults of all connections that are due at a time since the start.
  private func applyFaults(at moment: Duration) {
    for due in shared.script.onTime(moment) {
      if case .refuseConnections = due.fault.kind {
        refuseConnections(due.lasting)
      } else {
        for worker in workers { worker.perform { $0.apply(due) } }
      }
    }
  }

  /// Closes the port and resets all connections; opens the same port again after the duration.
  private func refuseConnections(_ duration: Duration?) {
    guard let port = listener?.socket.localPort ?? closedPort else { return }
    closedPort = port
    closeListener()
    for worker in workers { worker.perform { $0.resetAll() } }
    if duration == nil, isClosedForGood { return }
    closureCount += 1
    guard let duration else {
      isClosedForGood = true
      return
    }
    _ = loop.schedule(at: .now + duration) { [weak self] in
      self?.assumeIsolated { $0.reopen(port) }
    }
  }

  private func reopen(_ port: UInt16) {
    closureCount -= 1
    guard closureCount == 0, !isStopping else { return }
    do { _ = try listen(port) } catch {
      // Another process uses the port meanwhile: try until it is free.
      closureCount += 1
      _ = loop.schedule(at: .now + .milliseconds(50)) { [weak self] in
        self?.assumeIsolated { $0.reopen(port) }
      }
    }
  }
}
