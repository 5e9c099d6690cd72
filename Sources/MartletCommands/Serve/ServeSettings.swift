import APNs
import Foundation
import PushPayload
import PushServer
import _TLS

/// What `martlet serve` was told, by flags, environment and file.
struct ServeSettings: Sendable {
  var data: DataDirectory
  var secretKeyFile: SecretKeyFile
  var server = PushServer.Configuration()
  var endpoints = APNsSender.Endpoints()
  /// A PEM file to trust beside the system's.
  var apnsCA: String?
  var tlsFiles: (certificate: String, key: String)?
  var log: Log
  /// Whether only to say if all of this would do.
  var isCheck: Bool

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
      Option("--public-url", "URL", help: "where the world reaches this server: https://HOST"),
      SecretKeyFile.option,
      Option("--workers", "N", help: "batches of 1000 pushes on their way at once (4)"),
    ] + RetentionOptions.all + [
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
    secretKeyFile = SecretKeyFile(arguments, in: data)
    (server.host, server.port) = try arguments.address("--listen", default: "127.0.0.1:8080")
    server.workers = try arguments.integer("--workers", in: 1...256, default: 4) ?? 4
    server.retention = try RetentionOptions.read(arguments)
    isCheck = arguments.flag("--check")
    log = Log(
      isJSON: try arguments.choice("--log-format", of: ["text", "json"], default: "text") == "json",
      least: try Log.Level(
        rawValue: arguments.choice(
          "--log-level", of: Log.Level.allCases.map(\.rawValue), default: "info")) ?? .info)
    server.publicURL = try arguments.value("--public-url").map(Self.publicURL)
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

  /// Without what follows the host: paths are appended to it.
  private static func publicURL(_ text: String) throws -> String {
    let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let url = URLComponents(string: bare), ["http", "https"].contains(url.scheme),
      url.host?.isEmpty == false, url.path.isEmpty, url.user == nil, url.password == nil,
      url.query == nil, url.fragment == nil
    else { throw UsageError("--public-url takes https://HOST or http://HOST:PORT, without a path") }
    return bare
  }

  private static func endpoint(_ option: String, _ url: String) throws -> APNsEndpoint {
    do {
      return try .custom(url: url)
    } catch {
      throw UsageError("\(option) takes production, development or https://HOST:PORT")
    }
  }

  /// Reads the files that the settings name, and proves that they are what they should be.
  mutating func readFiles() throws {
    if let apnsCA {
      let text = try readText(apnsCA, of: "--apns-ca")
      endpoints.extraTrustPEM = text
      try Self.prove("--apns-ca \(apnsCA)") { () throws(TLSError) in
        _ = try TLSContext.client(extraTrustPEM: text)
      }
    }
    if let (certificate, key) = tlsFiles {
      let tls = (
        certificatePEM: try readText(certificate, of: "--tls-cert"),
        keyPEM: try readText(key, of: "--tls-key")
      )
      server.tls = tls
      try Self.prove("--tls-cert \(certificate) and --tls-key \(key)") { () throws(TLSError) in
        _ = try TLSContext.server(certificatePEM: tls.certificatePEM, keyPEM: tls.keyPEM)
      }
    }
  }

  private static func prove(_ files: String, _ use: () throws(TLSError) -> Void) throws {
    do throws(TLSError) {
      try use()
    } catch {
      throw CommandFailure("\(files): \(error); give them as PEM", cause: error)
    }
  }
}
