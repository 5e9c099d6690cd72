import APNs
import Foundation
import PushPayload
import PushServer

/// What `martlet serve` was told, by flags, environment and file.
struct ServeSettings: Sendable {
  var data: DataDirectory
  var server = PushServer.Configuration()
  var endpoints = APNsSender.Endpoints()
  /// A PEM file to trust beside the system's.
  var apnsCA: String?
  var tlsFiles: (certificate: String, key: String)?
  var log: Log

  static let options =
    [
      Option("--listen", "HOST:PORT", help: "where to listen (127.0.0.1:8080); port 0 takes any")
    ] + DataDirectory.options + [
      Option(
        "--apns", "production|development|URL",
        help: "where pushes go (production; devices in development go to Apple's other host)"),
      Option(
        "--apns-development", "URL", help: "where those of development devices go (as --apns)"),
      Option("--apns-ca", "FILE", help: "PEM certificates to trust at a URL"),
      Option("--workers", "N", help: "batches of 1000 pushes on their way at once (4)"),
      Option("--tls-cert", "FILE", help: "PEM certificate with its chain; serves https"),
      Option("--tls-key", "FILE", help: "PEM key of the certificate"),
      Option("--log-format", "text|json", help: "one line an event (text)"),
      Option("--log-level", "info|warning|error", help: "the least that is said (info)"),
      Option("--config", "FILE", help: "a JSON object of these options, without their dashes"),
      Option("--check", help: "check all of this, start nothing"),
    ]

  /// - Throws: ``UsageError`` for a value that is none.
  init(_ arguments: Arguments, isFromCommandLine: Bool = false) throws {
    data = try DataDirectory(arguments, isFromCommandLine: isFromCommandLine)
    (server.host, server.port) = try arguments.address("--listen", default: "127.0.0.1:8080")
    server.workers = try arguments.integer("--workers", in: 1...256, default: 4) ?? 4
    log = Log(
      isJSON: try arguments.choice("--log-format", of: ["text", "json"], default: "text") == "json",
      least: try Log.Level(
        rawValue: arguments.choice(
          "--log-level", of: Log.Level.allCases.map(\.rawValue), default: "info")) ?? .info)
    try readEndpoints(arguments)
    switch (arguments.value("--tls-cert"), arguments.value("--tls-key")) {
    case (nil, nil): break
    case (let certificate?, let key?): tlsFiles = (certificate, key)
    default: throw UsageError("--tls-cert FILE and --tls-key FILE go together")
    }
  }

  private mutating func readEndpoints(_ arguments: Arguments) throws {
    let apns = arguments.value("--apns") ?? "production"
    switch apns {
    case "production": break
    case "development": endpoints.production = .development
    default:
      endpoints.production = try Self.endpoint("--apns", apns)
      endpoints.development = endpoints.production
    }
    if let url = arguments.value("--apns-development") {
      endpoints.development = try Self.endpoint("--apns-development", url)
    }
    apnsCA = arguments.value("--apns-ca")
    let hasURL = !["production", "development"].contains(apns)
    if apnsCA != nil, !hasURL, arguments.value("--apns-development") == nil {
      throw UsageError("--apns-ca is for a URL in --apns; Apple's own hosts need none")
    }
  }

  private static func endpoint(_ option: String, _ url: String) throws -> APNsEndpoint {
    do {
      return try .custom(url: url)
    } catch {
      throw UsageError("\(option) takes production, development or https://HOST:PORT")
    }
  }

  /// Reads the files that the settings name.
  mutating func readFiles() throws {
    endpoints.extraTrustPEM = try apnsCA.map { try Self.text(of: $0, "--apns-ca") }
    server.tls = try tlsFiles.map { files in
      (
        certificatePEM: try Self.text(of: files.certificate, "--tls-cert"),
        keyPEM: try Self.text(of: files.key, "--tls-key")
      )
    }
  }

  static func text(of file: String, _ option: String) throws -> String {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw CommandFailure("cannot read \(file), which \(option) names", cause: error)
    }
  }
}

/// Lines on standard error; never a payload, a token or a key.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable { case info, warning, error }

  var isJSON = false
  var least = Level.info

  func callAsFunction(_ level: Level, _ message: String, _ console: Console) {
    let order = Level.allCases
    guard order.firstIndex(of: level) ?? 0 >= order.firstIndex(of: least) ?? 0 else { return }
    let time = Date().formatted(.iso8601)
    guard isJSON else {
      console.printError("\(time) \(level.rawValue): \(message)")
      return
    }
    let line: JSONValue = [
      "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
    ]
    console.printError(String(decoding: line.serialized(), as: UTF8.self))
  }
}
