import Foundation
import PushModel
import PushPayload
import PushServer
import _Spawn

/// `martlet serve`: the HTTP API, the queue and the APNs client, in one process.
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "take sends over HTTP and deliver them"
  static let options = ServeSettings.Options.all
  static let discussion = """
    An option on the command line wins over the environment, and the environment over the file that
    --config names, where the key of --listen is "listen". A password belongs in the environment or
    in that file, never in an argument. SIGTERM finishes what is being sent and ends with 0;
    SIGHUP reads that file, the certificate and its key again, takes over the certificate, its key and
    the options of the log, and names the options that need a restart. See docs/server/operations.md.
    """

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    // An option may go together with one in the file of --config, which run(_:) reads.
    if try arguments[ServeSettings.Options.config] == nil { _ = try ServeSettings(arguments) }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let started = try arguments.withConfigurationFile()
    var settings = try ServeSettings(started)
    try settings.readFiles()
    let descriptors = DescriptorLimit.raised()
    try descriptors.check()
    settings.server.maximumConnections = descriptors.connections
    let unknown = arguments.unknownVariables(knows: CommandTable.variables)
    guard !started[ServeSettings.Options.check] else {
      guard unknown.isEmpty else { throw UsageError(unknown.joined(separator: "\n")) }
      try await Self.check(settings)
      console.print("the configuration is good")
      return .success
    }
    // Beyond a limit on file sizes, a write fails and the store reports it, but the process continues.
    signal(SIGXFSZ, SIG_IGN)
    // SIGHUP is ignored until it is handled below, because by default it ends the process.
    signal(SIGHUP, SIG_IGN)
    let metrics = ServerMetrics(store: StoreTimings())
    let log = RunningLog(settings.log, console: console)
    do throws(SpawnError) {
      try ProcessMemory.hide()
    } catch {
      log.write(
        "\(error.message); programs of this user can read its keys", level: .warning)
    }
    let store = try await settings.data.openStore(timings: metrics.store) { message in
      log.write(message, level: .warning)
    }
    let lock = try settings.data.lock(
      orFail: "another martlet serve uses \(settings.data.path); stop it, or name another --data")
    for problem in unknown { log.write(problem, level: .warning) }
    let secretKey = try await settings.secretKeyFile.secretKey(for: store) { message in
      log.write(message, level: .error)
    }
    settings.server.version = Martlet.version
    settings.server.node = settings.data.node
    settings.server.site.mediaFolder = settings.data.media
    settings.server.audienceFolder = settings.data.audiences
    settings.server.bodyFolder = settings.data.path
    let server = try PushServer(
      settings.server, store: store, secretKey: secretKey,
      sender: APNsSender(
        endpoints: settings.endpoints, secretKey: secretKey, store: store, metrics: metrics),
      metrics: metrics, requests: { line in log.write(line) }
    ) { line in log.write(line.message, level: .warning, request: line.request) }
    async let running: Void = server.run()
    do {
      if let path = try await makeAdminKey(settings.data, store) {
        console.print("admin key: in \(path)")
      }
    } catch {
      await server.stop()
      throw error
    }
    if let port = server.metricsPort, let host = settings.server.metricsAddress?.host {
      console.print("metrics on http://\(SocketAddress.urlHost(host)):\(port)/metrics")
    }
    let (terminations, reloads) = (await console.terminations(), await console.reloads())
    console.print("listening on \(Self.url(settings.server, port: server.port))")
    let reload = ServeReload(arguments: arguments, started: started)
    let reloading = Task {
      for await _ in reloads { reload.run(server, log) }
    }
    for await _ in terminations { break }
    reloading.cancel()
    log.write(
      "stopping: no new requests are taken, and the batches being sent are finished", level: .info)
    await server.stop()
    await running
    withExtendedLifetime(lock) {}
    return .success
  }

  private static func check(_ settings: ServeSettings) async throws {
    if let store = try await settings.data.check() {
      _ = try await settings.secretKeyFile.existing(for: store)
    } else {
      _ = try settings.secretKeyFile.read()
    }
  }

  /// Makes the first key of a store, which has the role `server`, and returns the path of its file.
  ///
  /// - Returns: The path; `nil` if the store already has a key.
  private func makeAdminKey(
    _ data: DataDirectory, _ store: any PushStore
  ) async throws -> String? {
    let keys = try await store.keys(app: nil)
    guard !keys.contains(where: { $0.role == .server }) else { return nil }
    let (key, record) = APIKey.make(role: .server, app: nil, at: ServerClock.system.now())
    // The file is written first. A start that fails before the key is stored makes both again.
    let file = PrivateFile(data.file("admin.key"))
    try file.replace(Array((key + "\n").utf8))
    try await store.add(record)
    return file.path
  }

  private static func url(_ server: PushServer.Configuration, port: UInt16) -> String {
    let host = SocketAddress.urlHost(server.host)
    return "\(server.tls == nil ? "http" : "https")://\(host):\(port)"
  }
}
