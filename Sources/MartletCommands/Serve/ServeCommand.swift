import Foundation
import PushPayload
import PushServer
import PushStore

/// `martlet serve`: the HTTP API, the queue and the way to Apple, in one process.
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "take sends over HTTP and deliver them"
  static let options = ServeSettings.options

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    if let operand = arguments.operands.first {
      throw UsageError("serve takes options only, not \"\(operand)\"")
    }
    self.arguments = arguments
    _ = try ServeSettings(arguments, isFromCommandLine: true)
  }

  func run(_ console: Console) async throws -> ExitCode {
    var settings = try settings(console.environment)
    try settings.readFiles()
    guard !settings.isCheck else {
      try await Self.check(settings)
      console.print("the configuration is good")
      return .yes
    }
    // Past a limit on file sizes a write fails, and the store says so; the process goes on.
    signal(SIGXFSZ, SIG_IGN)
    let store = try await settings.data.openStore()
    let lock = try settings.data.lock(
      orFail: "another martlet serve uses \(settings.data.path); stop it, or name another --data")
    let secretKey = try await settings.secretKeyFile.secretKey(for: store)
    let log = settings.log
    let metrics = ServerMetrics()
    let told: @Sendable (RequestLine) -> Void = { line in log(line, console) }
    settings.server.version = Martlet.version
    settings.server.node = settings.data.node
    settings.server.mediaFolder = settings.data.file("media")
    let server = try PushServer(
      settings.server, store: store, secretKey: secretKey,
      sender: APNsSender(endpoints: settings.endpoints, secretKey: secretKey, metrics: metrics),
      metrics: metrics, requests: log.says(.info) ? told : nil
    ) { line in log(.warning, line.message, request: line.request, console) }
    do {
      if let path = try await makeAdminKey(settings.data, store) {
        console.print("admin key: in \(path)")
      }
    } catch {
      await server.stop()
      throw error
    }
    console.print("listening on \(Self.url(settings.server, port: server.port))")
    await console.untilTerminated()
    log(.info, "ending: no new requests, the pushes under way are finished", console)
    await server.stop()
    withExtendedLifetime(lock) {}
    return .yes
  }

  private static func check(_ settings: ServeSettings) async throws {
    if let store = try await settings.data.check() {
      _ = try await settings.secretKeyFile.existing(for: store)
    } else {
      _ = try settings.secretKeyFile.read()
    }
  }

  private func settings(_ environment: [String: String]) throws -> ServeSettings {
    var arguments = arguments
    try arguments.fallBack(environment: environment)
    if let file = arguments.value("--config") {
      let json: JSONValue
      do {
        json = try JSONValue(parsing: readText(file, of: "--config"))
      } catch let error as JSONError {
        throw CommandFailure("\(file), which --config names, is \(error)")
      }
      guard let members = json.object else {
        throw CommandFailure("\(file), which --config names, must be a JSON object")
      }
      try arguments.fallBack(environment: environment, file: members)
    }
    return try ServeSettings(arguments)
  }

  /// The key of the first start; `nil` where the store has one.
  private func makeAdminKey(
    _ data: DataDirectory, _ store: any PushStore
  ) async throws -> String? {
    guard try await store.keys(app: nil).isEmpty else { return nil }
    let (key, record) = APIKey.make(role: .server, app: nil, at: ServerClock.system.now())
    // First the file: a start that fails between the two makes both anew.
    let file = PrivateFile(data.file("admin.key"))
    try file.replace(Array((key + "\n").utf8))
    try await store.add(record)
    return file.path
  }

  private static func url(_ server: PushServer.Configuration, port: UInt16) -> String {
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    return "\(server.tls == nil ? "http" : "https")://\(host):\(port)"
  }
}
