import APNsSandbox
import Foundation

/// `martlet apns-sandbox`: runs a server that answers like APNs.
struct SandboxCommand: Command {
  static let name = "apns-sandbox"
  static let summary = "answer pushes as APNs does"

  enum Options {
    static let listen = Option(
      "--listen", .address, default: "127.0.0.1:2197",
      help: "the address to listen on; port 0 takes a free one")
    static let data = Option(
      "--data", .folder, default: "./martlet-sandbox", help: "the folder of its own certificate")
    static let certificate = Option(
      "--certificate", .file(), help: "PEM certificate instead of a self-made one; with --key")
    static let key = Option("--key", .file(), help: "PEM key of --certificate")
    static let providerKey = Option(
      repeated: "--provider-key", providerKeyForm,
      help: "a .p8 or public PEM; with one given, signatures are checked")
    static let clientCA = Option(
      "--client-ca", .file(),
      help: "PEM authorities of the push certificates that are accepted (default any)")
    static let strictJWT = Option(
      flag: "--strict-jwt", help: "refuse provider tokens that Apple accepts and RFC 7515 does not")
    static let journal = Option(
      "--journal", .file(), help: "append one line of JSON for each request")
    static let forward = Option(
      "--forward", .folder,
      help: "deliver to simulated phones: a card and a JSON file for each push")
    static let mediaCA = Option(
      "--media-ca", .file(), help: "PEM certificates those phones trust for media; with --forward")
    static let page = Option(
      "--page", .address, help: "the address of a page that lists the requests as they come")
    static let latency = Option(
      "--latency", latencyForm, default: "0s", help: "how long answers wait: \(Latency.forms)")
    static let script = Option(
      "--script", .file(), help: "the faults to make, and when; see docs/provider/sandbox.md")
    static let maxStreams = Option(
      "--max-streams", .count(1...1_000_000), default: "1000",
      help: "the most streams of a connection")
    static let slowStart = Option(
      flag: "--slow-start", help: "allow one stream until a connection's first valid provider token"
    )
    static let tokens = Option(
      "--tokens", .file(),
      help: "JSON: tokens that are gone, expired, foreign, offline or of one app")
    static let stored = Option(
      "--stored", .oneOf(OfflineStorage.self), default: OfflineStorage.last.rawValue,
      help: "what is kept for a phone that is offline: the last push of each app, or several")
    static let keyTopics = Option(
      repeated: "--key-topics", keyTopicsForm,
      help: "the bundle ids that a provider key is limited to")
    static let foreignKey = Option(
      repeated: "--foreign-key", .text("KEYID"), help: "a provider key of the other environment")
    static let idleTimeout = Option(
      "--idle-timeout", .positiveDuration, default: "1h",
      help: "the time after which a connection without a request is closed")

    private static let providerKeyForm = ValueForm<ProviderKey>("TEAM:KEYID:FILE") {
      ProviderKey($0)
    }
    private static let keyTopicsForm = ValueForm<KeyTopics>(
      "KEYID=ID,…", takes: "a key's id, = and bundle ids with commas between them"
    ) { KeyTopics($0) }
    private static let latencyForm = ValueForm<Latency>(
      "LATENCY", takes: "\(Latency.forms), at most 24h"
    ) { Latency(parsing: $0) }
  }

  static let options: [any CommandOption] = [
    Options.listen, Options.data, Options.certificate, Options.key, Options.providerKey,
    Options.clientCA, Options.strictJWT, Options.journal, Options.forward, Options.mediaCA,
    Options.page, Options.latency, Options.script, Options.maxStreams, Options.slowStart,
    Options.tokens, Options.stored, Options.keyTopics, Options.foreignKey, Options.idleTimeout,
  ]

  /// A key of `--provider-key`, with which provider tokens are checked.
  struct ProviderKey: Sendable {
    var teamID: String
    var keyID: String
    var file: String

    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
      guard parts.count == 3 else { return nil }
      (teamID, keyID, file) = (parts[0], parts[1], parts[2])
    }
  }

  /// The bundle ids of `--key-topics` to which a key is limited.
  struct KeyTopics: Sendable {
    var keyID: String
    var bundleIDs: Set<String>

    init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let ids = parts.last?.split(separator: ",", omittingEmptySubsequences: false) ?? []
      guard parts.count == 2, !parts[0].isEmpty, !ids.contains(where: \.isEmpty) else { return nil }
      (keyID, bundleIDs) = (String(parts[0]), Set(ids.map(String.init)))
    }
  }

  private let address: SocketAddress
  private let directory: String
  private let certificate: (certificate: String, key: String)?
  private let providerKeys: [ProviderKey]
  private let isStrict: Bool
  private let journalFile: String?
  private let latency: Latency
  private let idleTimeout: Duration
  private let pageAddress: SocketAddress?
  private let clientCA: String?
  private let maxStreams: Int
  private let hasSlowStart: Bool
  private let tokenFile: String?
  private let storage: OfflineStorage
  private let keyTopics: [String: Set<String>]
  private let foreignKeys: Set<String>
  private let scriptFile: String?
  private let forwardFolder: String?
  private let mediaCA: String?

  init(_ arguments: Arguments) throws {
    address = try arguments[Options.listen]
    directory = try arguments[Options.data]
    switch (try arguments[Options.certificate], try arguments[Options.key]) {
    case (let certificate?, let key?): self.certificate = (certificate, key)
    case (nil, nil): certificate = nil
    default: throw UsageError("--certificate and --key go together")
    }
    providerKeys = try arguments[Options.providerKey]
    isStrict = arguments[Options.strictJWT]
    journalFile = try arguments[Options.journal]
    latency = try arguments[Options.latency]
    idleTimeout = try arguments[Options.idleTimeout]
    pageAddress = try arguments[Options.page]
    clientCA = try arguments[Options.clientCA]
    maxStreams = try arguments[Options.maxStreams]
    hasSlowStart = arguments[Options.slowStart]
    tokenFile = try arguments[Options.tokens]
    storage = try arguments[Options.stored]
    keyTopics = Dictionary(
      try arguments[Options.keyTopics].map { ($0.keyID, $0.bundleIDs) }
    ) { $0.union($1) }
    foreignKeys = Set(try arguments[Options.foreignKey])
    let known = Set(providerKeys.map(\.keyID))
    for key in foreignKeys.union(keyTopics.keys).sorted() where !known.contains(key) {
      throw UsageError("no --provider-key has the id \(key)")
    }
    scriptFile = try arguments[Options.script]
    forwardFolder = try arguments[Options.forward]
    mediaCA = try arguments[Options.mediaCA]
    if mediaCA != nil, forwardFolder == nil { throw UsageError("--media-ca needs --forward") }
  }

  func run(_ console: Console) async throws -> ExitCode {
    var (configuration, authority) = try configuration(console)
    let devices = try forwardFolder.map {
      try SimulatedDevices(folder: URL(fileURLWithPath: $0), mediaCA: mediaCA)
    }
    let (deliveries, taker) = AsyncStream<SandboxDelivery>.makeStream()
    if devices != nil { configuration.onDelivery = { taker.yield($0) } }
    let feed = pageAddress.map { _ in SandboxFeed() }
    if let feed {
      configuration.journal = { [journal = configuration.journal] line in
        journal?(line)
        feed.add(line: line)
      }
    }
    let sandbox = try VirtualAPNs(configuration: configuration)
    let terminations = await console.terminations()
    let page = try page(feed, of: sandbox)
    let port = try await sandbox.start()
    console.print("listening on https://\(SocketAddress.urlHost(address.host)):\(port)")
    console.print("ca: \(authority)")
    if let page, let pageAddress {
      console.print("page: http://\(SocketAddress.urlHost(pageAddress.host)):\(page.port)/")
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await devices?.run(deliveries) {
          feed?.add($1, of: $0)
        } failed: { error in
          console.printError("martlet apns-sandbox: \(error.sentence)")
        }
      }
      for await _ in terminations { break }
      await sandbox.stop()
      taker.finish()
    }
    await page?.stop()
    return .success
  }

  private func page(_ feed: SandboxFeed?, of sandbox: VirtualAPNs) throws -> SandboxPage? {
    guard let feed, let pageAddress else { return nil }
    return try SandboxPage(
      host: pageAddress.host, port: pageAddress.port, feed: feed, phones: sandbox)
  }

  /// The configuration, and the path of the certificate that clients must trust.
  private func configuration(
    _ console: Console
  ) throws -> (VirtualAPNs.Configuration, authority: String) {
    var configuration: VirtualAPNs.Configuration
    let authority: URL
    if let certificate {
      authority = URL(fileURLWithPath: certificate.certificate)
      configuration = VirtualAPNs.Configuration(
        certificatePEM: try text(certificate.certificate, role: "the certificate"),
        keyPEM: try text(certificate.key, role: "the certificate's key"))
    } else {
      let own = try SandboxAuthority(directory: URL(fileURLWithPath: directory))
      authority = own.certificateFile
      let leaf = try own.issue(for: address.host)
      configuration = VirtualAPNs.Configuration(
        certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    }
    configuration.host = address.host
    configuration.port = address.port
    configuration.providerKeys = try providerKeys.map { key in
      var read = VirtualAPNs.ProviderKey(
        teamID: key.teamID, keyID: key.keyID, pem: try text(key.file, role: "a provider key"))
      read.bundleIDs = keyTopics[key.keyID]
      read.isForeign = foreignKeys.contains(key.keyID)
      return read
    }
    configuration.slowStart = hasSlowStart
    if let tokenFile {
      let now = Int64(Date().timeIntervalSince1970 * 1000)
      try SandboxTokenFile(path: tokenFile, now: now).apply(to: &configuration)
    }
    configuration.offlineStorage = storage
    configuration.strictJWT = isStrict
    configuration.latency = latency
    configuration.idleTimeout = idleTimeout
    configuration.clientAuthorityPEM = try clientCA.map {
      try text($0, role: "the certificate that --client-ca names")
    }
    configuration.maxStreams = maxStreams
    if let scriptFile { configuration.script = try Self.script(scriptFile) }
    if let journalFile {
      let journal = try SandboxJournal(journalFile, printError: console.printError)
      configuration.journal = { journal.add($0) }
    }
    return (configuration, authority.standardizedFileURL.path)
  }

  private func text(_ path: String, role: String) throws -> String {
    String(decoding: try InputFile.data(path, role: role), as: UTF8.self)
  }

  /// The most bytes of a script, which is ten times the size of a thousand rules.
  private static let scriptLimit = 1 << 20

  private static func script(_ path: String) throws -> FaultScript {
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      data = try file.read(upToCount: scriptLimit + 1) ?? Data()
    } catch {
      throw CommandFailure("cannot read \(path), which --script names: is it a readable file?")
    }
    guard data.count <= scriptLimit else {
      throw CommandFailure("\(path), which --script names, has more than 1 MiB")
    }
    do throws(FaultScriptError) { return try FaultScript(json: data) } catch {
      throw CommandFailure(
        "\(path): \(error.sentence); docs/provider/sandbox.md has the keys", cause: error)
    }
  }
}
