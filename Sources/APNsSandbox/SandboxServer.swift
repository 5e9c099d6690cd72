import FoundationEssentials
import _EventLoop
import _TLS

/// Takes connections, and has each served by one of its threads.
///
/// It runs on the first of them: a sandbox with one connection is one thread.
actor SandboxServer {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let shared: SandboxShared
  private let rules: SandboxRules
  private var workers: [SandboxWorker] = []
  private var listener: (socket: Socket, watch: EventLoop.Registration)?
  private var connectionCount = 0
  /// Looks after those that keep it waiting.
  private var sweeper: Task<Void, Never>?
  private var scriptTimers: [EventLoop.Registration] = []
  /// How many faults keep the port closed, and which it is.
  private var closures = 0
  private var closedPort: UInt16?
  private var isStopping = false

  init(
    _ configuration: APNsSandbox.Configuration, rules: SandboxRules, certificate: TLSContext
  ) throws(SystemError) {
    self.rules = rules
    shared = SandboxShared(configuration, certificate: certificate)
    loop = try EventLoop(name: "apns-sandbox")
  }

  func start() async throws(SandboxError) -> UInt16 {
    let port = try listen(shared.configuration.port)
    await run(shared.configuration.script)
    let (clock, period) = (shared.configuration.clock, shared.timeouts.period)
    sweeper = Task { [weak self] in
      while (try? await clock.sleep(for: period)) != nil {
        guard let workers = await self?.workers else { return }
        for worker in workers { await worker.sweep() }
      }
    }
    return port
  }

  func stop() async {
    isStopping = true
    sweeper?.cancel()
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
      let place = "\(host):\(port)"
      guard error.isAddressInUse else {
        throw SandboxError(.system, "cannot listen on \(place): \(error)", cause: error)
      }
      throw SandboxError(
        .addressInUse,
        "cannot listen on \(place): it is in use; stop what listens there or choose another port",
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
        worker(of: connectionCount).take(socket, connectionCount)
      }
    } catch {
      // Out of file descriptors: what waits is taken when there are some again.
      guard let listener else { return }
      loop.change(listener.watch, to: [])
      _ = loop.schedule(at: .now + .milliseconds(100)) { [weak self] in
        self?.assumeIsolated { server in
          if let listener = server.listener { server.loop.change(listener.watch, to: .read) }
        }
      }
    }
  }

  /// The thread of a connection: each processor has one, once there are as many connections.
  private func worker(of connection: Int) -> SandboxWorker {
    let place = (connection - 1) % ProcessInfo.processInfo.activeProcessorCount
    if place < workers.count { return workers[place] }
    let worker = SandboxWorker(
      shared, rules: rules,
      // Where there is no other thread, the first serves these too.
      loop: (workers.isEmpty ? nil : try? EventLoop(name: "apns-sandbox-\(place + 1)")) ?? loop,
      onRefusal: { [weak self, loop] duration in
        _ = loop.schedule(at: .now) { [weak self] in
          self?.assumeIsolated { $0.refuseConnections(duration) }
        }
      })
    workers.append(worker)
    return worker
  }
}

// MARK: Faults

extension SandboxServer {
  /// Begins a script.
  func run(_ script: FaultScript) async {
    for timer in scriptTimers { loop.cancel(timer) }
    let (start, moments) = shared.script.begin(script)
    scriptTimers = moments.filter { $0 > .zero }.map { moment in
      loop.schedule(at: start + moment) { [weak self] in
        self?.assumeIsolated { $0.reach(moment) }
      }
    }
    reach(.zero)
    // What is due at once has happened when the script has begun.
    for worker in workers { await worker.catchUp() }
  }

  /// Commits what befalls all connections at a time.
  private func reach(_ moment: Duration) {
    for due in shared.script.onTime(moment) {
      if case .refuseConnections = due.fault.kind {
        refuseConnections(due.lasting)
      } else {
        for worker in workers { worker.perform { $0.commit(due) } }
      }
    }
  }

  /// Closes the port and takes all connections away; opens the same port again when the time is over.
  private func refuseConnections(_ duration: Duration?) {
    guard let port = listener?.socket.localPort ?? closedPort else { return }
    closedPort = port
    closures += 1
    closeListener()
    for worker in workers { worker.perform { $0.dropAll() } }
    guard let duration else { return }
    _ = loop.schedule(at: .now + duration) { [weak self] in
      self?.assumeIsolated { $0.openAgain(port) }
    }
  }

  private func openAgain(_ port: UInt16) {
    closures -= 1
    guard closures == 0, !isStopping else { return }
    do { _ = try listen(port) } catch {
      // Somebody else has taken the port meanwhile: it is tried until it is free.
      closures += 1
      _ = loop.schedule(at: .now + .milliseconds(50)) { [weak self] in
        self?.assumeIsolated { $0.openAgain(port) }
      }
    }
  }
}
