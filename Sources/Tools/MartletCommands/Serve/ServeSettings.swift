import APNs
import Foundation
import PushModel
import PushPayload
import PushServer
import _TLS

/// The settings of `martlet serve`, from the command line, the environment and the configuration
/// file.
struct ServeSettings: Sendable {
  var data: DataDirectory
  var secretKeyFile: SecretKeyFile
  var server = PushServer.Configuration()
  var endpoints = APNsSender.Endpoints()
  /// A PEM file with certificates to trust in addition to the system's.
  var apnsCA: String?
  var tlsFiles: (certificate: String, key: String)?
  /// The file with this server's client secret of the OpenID provider.
  var clientSecretFile: String?
  var log: ServeLog

  enum Options {
    static let listen = Option(
      "--listen", .address, default: "127.0.0.1:8080",
      help: "the address to listen on; port 0 takes a free one"
    ).inEnvironment
    static let metricsListen = Option(
      "--metrics-listen", .address,
      help: "an address for /metrics without a key and TLS, such as 127.0.0.1:9188"
    ).inEnvironment
    static let traceEndpoint = Option(
      "--otlp-endpoint", traceForm,
      help: "an OpenTelemetry collector for traces, by OTLP over HTTP: http://127.0.0.1:4318"
    ).inEnvironment
    static let traceSample = Option(
      "--trace-sample", shareForm, default: "0.01",
      help: "the share of requests that are traced; a caller's traceparent decides for its own"
    ).inEnvironment
    static let apns = Option(
      "--apns", endpointForm, default: "production",
      help: "where pushes go; with production those of development devices go to Apple's other host"
    ).inEnvironment
    static let apnsDevelopment = Option(
      "--apns-development", .text("URL"),
      help: "where pushes of development devices go (default as --apns)"
    ).inEnvironment
    static let apnsCA = Option(
      "--apns-ca", .file(), help: "PEM certificates to trust at a URL"
    ).inEnvironment
    static let apnsProxy = Option(
      "--apns-proxy", proxyForm, help: "an HTTP proxy that opens tunnels to APNs, by CONNECT"
    ).inEnvironment
    static let publicURL = Option(
      "--public-url", publicURLForm, help: "the address of this server for the world: https://HOST"
    ).inEnvironment
    static let workers = Option(
      "--workers", .count(1...256), default: "4",
      help: "batches of up to \(Batch.limit) pushes of campaigns sent at once"
    ).inEnvironment
    static let padEncrypted = Option(
      "--pad-encrypted", .count(2...2048, "BYTES"),
      help: "pad encrypted payloads to a multiple of this, so that their length tells less"
    ).inEnvironment
    static let deviceLimit = Option(
      "--device-limit", .count(1...4_294_967_295), default: "10000000",
      help: "the most devices of an app that device keys register"
    ).inEnvironment
    static let newDevices = Option(
      "--new-devices-per-minute", .count(1...1_000_000), default: "300",
      help: "the most new devices of device keys from one address"
    ).inEnvironment
    static let uploadQuota = Option(
      "--upload-quota", .size, default: "10GiB",
      help: "the most bytes of one app's uploaded media together"
    ).inEnvironment
    static let secondFactor = Option(
      "--second-factor", .oneOf(SecondFactorPolicy.self), default: "admins",
      help:
        "who needs a second factor beside a password before the dashboard opens: admins, or nobody"
    ).inEnvironment
    static let tlsCertificate = Option(
      "--tls-cert", .file(), help: "PEM certificate with its chain; serves https"
    ).inEnvironment
    static let tlsKey = Option(
      "--tls-key", .file(), help: "PEM key of the certificate"
    ).inEnvironment
    static let logFormat = Option(
      "--log-format", .oneOf(LogFormat.self), default: "text", help: "the form of a log line"
    ).inEnvironment
    static let logLevel = Option(
      "--log-level", .oneOf(ServeLog.Level.self), default: "info",
      help: "the least level that is logged"
    ).inEnvironment
    static let config = Option(
      "--config", .file(), help: "a JSON object of these options, without their dashes"
    ).inEnvironment
    static let check = Option(
      flag: "--check", help: "check the settings and what they name, and start nothing"
    ).inEnvironment

    static let all: [any CommandOption] =
      [listen, metricsListen, traceEndpoint, traceSample] + DataDirectory.Options.all + [
        apns, apnsDevelopment, apnsCA, apnsProxy, publicURL, SecretKeyFile.option, workers,
        padEncrypted, deviceLimit, newDevices, uploadQuota,
        secondFactor,
      ] + ConnectionOptions.all + IdentityProviderOptions.all + RetentionOptions.all + [
        tlsCertificate, tlsKey, logFormat, logLevel, config, check,
      ]

    /// The value is parsed where it is used, because that error says what is wrong with a URL.
    private static let endpointForm = ValueForm<String>("production|development|URL") { $0 }

    private static let proxyForm = ValueForm<APNsProxy>(
      "URL", takes: "http://HOST:PORT or http://USER:PASSWORD@HOST:PORT", isSecret: true
    ) { text in
      guard let url = URLComponents(string: text), url.scheme == "http",
        let host = url.host, !host.isEmpty, let port = UInt16(exactly: url.port ?? 0), port > 0,
        ["", "/"].contains(url.path), url.query == nil, url.fragment == nil,
        url.user?.contains(":") != true
      else { return nil }
      let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      return APNsProxy(host: bare, port: port, user: url.user, password: url.password ?? "")
    }

    private static let traceForm = ValueForm<String>(
      "URL", takes: "http://HOST:PORT or https://HOST, to which /v1/traces is added",
      isSecret: true
    ) { text in
      guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
        url.host?.isEmpty == false, url.port.map((1...65535).contains) ?? true, url.user == nil,
        url.password == nil, url.query == nil, url.fragment == nil
      else { return nil }
      return text
    }

    private static let shareForm = ValueForm<Double>("SHARE", takes: "a number from 0 to 1") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// The URL must end with the host, because paths are appended to it.
    private static let publicURLForm = ValueForm<String>(
      "URL", takes: "https://HOST or http://HOST:PORT, without a path", isSecret: true
    ) { text in
      let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
      guard let url = URLComponents(string: bare), ["http", "https"].contains(url.scheme),
        url.host?.isEmpty == false, url.port.map((1...65535).contains) ?? true,
        url.path.isEmpty, url.user == nil, url.password == nil, url.query == nil,
        url.fragment == nil
      else { return nil }
      return bare
    }
  }

  enum LogFormat: String, CaseIterable, Sendable { case text, json }

  /// - Throws: ``UsageError`` if an option does not accept its value.
  init(_ arguments: Arguments) throws {
    data = try DataDirectory(arguments)
    secretKeyFile = try SecretKeyFile(arguments, in: data)
    let address = try arguments[Options.listen]
    (server.host, server.port) = (address.host, address.port)
    server.metricsAddress = try arguments[Options.metricsListen].map { ($0.host, $0.port) }
    server.traceEndpoint = try arguments[Options.traceEndpoint]
    server.traceSample = try arguments[Options.traceSample]
    server.workers = try arguments[Options.workers]
    server.site.paddingMultiple = try arguments[Options.padEncrypted] ?? 1
    server.retention = try RetentionOptions.read(arguments)
    server.site.deviceLimit = try arguments[Options.deviceLimit]
    server.site.newDevicesPerMinute = try arguments[Options.newDevices]
    server.site.uploadQuota = try arguments[Options.uploadQuota]
    server.site.requiresSecondFactor = try arguments[Options.secondFactor] == .admins
    try ConnectionOptions.read(arguments, into: &server)
    log = ServeLog(
      isJSON: try arguments[Options.logFormat] == .json,
      minimumLevel: try arguments[Options.logLevel])
    server.site.publicURL = try arguments[Options.publicURL]
    let provider = try IdentityProviderOptions.read(arguments, publicURL: server.site.publicURL)
    (server.site.identityProvider, clientSecretFile) = (provider?.provider, provider?.secretFile)
    try readEndpoints(arguments)
    switch (try arguments[Options.tlsCertificate], try arguments[Options.tlsKey]) {
    case (nil, nil): break
    case (let certificate?, let key?): tlsFiles = (certificate, key)
    default: throw UsageError("--tls-cert FILE and --tls-key FILE go together")
    }
  }

  private mutating func readEndpoints(_ arguments: Arguments) throws {
    let apns = try arguments[Options.apns]
    switch apns {
    case "production": break
    case "development": endpoints.production = .development
    default:
      endpoints.production = try Self.endpoint("--apns", apns)
      endpoints.development = endpoints.production
    }
    let developmentURL = try arguments[Options.apnsDevelopment]
    if let url = developmentURL {
      endpoints.development = try Self.endpoint("--apns-development", url)
    }
    endpoints.proxy = try arguments[Options.apnsProxy]
    if endpoints.proxy?.password.isEmpty == false, arguments.isOnCommandLine(Options.apnsProxy) {
      throw UsageError(
        "--apns-proxy holds a password, which others can read there; put it into"
          + " \(Options.apnsProxy.definition.variable)")
    }
    apnsCA = try arguments[Options.apnsCA]
    let hasURL = !["production", "development"].contains(apns)
    if apnsCA != nil, !hasURL, developmentURL == nil {
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

  /// Reads the certificate and key files in the settings.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read or is not valid for its option.
  mutating func readFiles() throws {
    if let apnsCA {
      let text = try InputFile.text(apnsCA, of: Options.apnsCA)
      endpoints.extraTrustPEM = text
      try Self.check("--apns-ca \(apnsCA)") { () throws(TLSError) in
        _ = try TLSContext.client(extraTrustPEM: text)
      }
    }
    server.tls = try readCertificate()
    server.site.identityProvider?.clientSecret = try clientSecretFile.map(
      IdentityProviderOptions.secret(in:))
  }

  /// Reads the certificate and its key; `nil` if the settings have none.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read or is not valid for its option.
  func readCertificate() throws -> (certificatePEM: String, keyPEM: String)? {
    guard let (certificate, key) = tlsFiles else { return nil }
    let tls = (
      certificatePEM: try InputFile.text(certificate, of: Options.tlsCertificate),
      keyPEM: try InputFile.text(key, of: Options.tlsKey)
    )
    try Self.check("--tls-cert \(certificate) and --tls-key \(key)") { () throws(TLSError) in
      _ = try TLSContext.server(certificatePEM: tls.certificatePEM, keyPEM: tls.keyPEM)
    }
    return tls
  }

  private static func check(
    _ files: String, _ use: () throws(TLSError) -> Void
  ) throws {
    do throws(TLSError) {
      try use()
    } catch {
      throw CommandFailure("\(files): \(error.sentence); give them as PEM", cause: error)
    }
  }
}

/// The people who need a second factor in addition to a password.
enum SecondFactorPolicy: String, CaseIterable, Sendable {
  case admins, nobody
}
