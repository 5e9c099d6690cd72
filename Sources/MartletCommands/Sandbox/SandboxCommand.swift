import APNsSandbox
import Foundation
import Synchronization

/// `martlet apns-sandbox`: a server that answers as APNs does.
struct SandboxCommand: Command {
  static let name = "apns-sandbox"
  static let summary = "answer pushes as APNs does"
  static let options = [
    Option("--listen", "HOST:PORT", help: "where to listen; default 127.0.0.1:2197"),
    Option("--data", "DIR", help: "where its own certificate is kept; default ./martlet-sandbox"),
    Option("--certificate", "FILE", help: "PEM to show instead of a self-made one; with --key"),
    Option("--key", "FILE", help: "the key of --certificate"),
    Option(
      "--provider-key", "TEAM:KEYID:FILE", isRepeatable: true,
      help: "a .p8 or public PEM; with one, signatures are checked"),
    Option(
      "--client-ca", "FILE", help: "PEM authorities whose push certificates are taken; default any"),
    Option("--strict-jwt", help: "refuse provider tokens that Apple takes and RFC 7515 does not"),
    Option("--journal", "FILE", help: "append one JSON line a request"),
    Option("--forward", "DIR", help: "deliver to simulated phones: a card and a JSON a push"),
    Option("--media-ca", "FILE", help: "PEM certificates those phones trust for media"),
    Option("--page", "HOST:PORT", help: "a page of what came, which goes on by itself"),
    Option("--latency", "LATENCY", help: "how long answers wait: \(Latency.forms)"),
    Option("--script", "FILE", help: "what goes wrong, and when; see docs/sandbox.md"),
    Option("--max-streams", "N", help: "streams a connection may have; default 1000"),
    Option("--idle-timeout", "DURATION", help: "closes connections without a request; default 1h"),
  ]

  private let address: (host: String, port: UInt16)
  private let directory: String
  private let certificate: (certificate: String, key: String)?
  private let providerKeys: [(teamID: String, keyID: String, file: String)]
  private let isStrict: Bool
  private let journalFile: String?
  private let latency: Latency
  private let idleTimeout: Duration?
  private let pageAddress: (host: String, port: UInt16)?
  private let clientCA: String?
  private let maxStreams: Int
  private let scriptFile: String?
  private let forwardFolder: String?
  private let mediaCA: String?

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("takes no operand, not \"\(arguments.operands[0])\"")
    }
    address = try arguments.address("--listen", default: "127.0.0.1:2197")
    directory = arguments.value("--data") ?? "./martlet-sandbox"
    switch (arguments.value("--certificate"), arguments.value("--key")) {
    case (let certificate?, let key?): self.certificate = (certificate, key)
    case (nil, nil): certificate = nil
    default: throw UsageError("--certificate and --key go together")
    }
    providerKeys = try arguments.all("--provider-key").map { text in
      let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
      guard parts.count == 3 else {
        throw UsageError("--provider-key takes TEAM:KEYID:FILE, not \"\(text)\"")
      }
      return (parts[0], parts[1], parts[2])
    }
    isStrict = arguments.flag("--strict-jwt")
    journalFile = arguments.value("--journal")
    let wait = arguments.value("--latency") ?? "0s"
    guard let latency = Latency(parsing: wait) else {
      throw UsageError("--latency takes \(Latency.forms), at most 24h, not \"\(wait)\"")
    }
    self.latency = latency
    idleTimeout = try arguments.duration("--idle-timeout")
    if idleTimeout == .zero { throw UsageError("--idle-timeout takes more than nothing") }
    pageAddress = try arguments.value("--page").map { try arguments.address("--page", default: $0) }
    clientCA = arguments.value("--client-ca")
    maxStreams = try arguments.integer("--max-streams", in: 1...1_000_000, default: 1000) ?? 1000
    scriptFile = arguments.value("--script")
    forwardFolder = arguments.value("--forward")
    mediaCA = arguments.value("--media-ca")
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
    let sandbox = try APNsSandbox(configuration: configuration)
    // Listens for the signal before it says that it is ready.
    let termination = Task { await console.untilTerminated() }
    defer { termination.cancel() }
    let page = try page(feed)
    let port = try await sandbox.start()
    console.print("listening on https://\(Self.named(address.host)):\(port)")
    console.print("ca: \(authority)")
    if let page, let pageAddress {
      console.print("page: http://\(Self.named(pageAddress.host)):\(page.port)/")
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await devices?.run(deliveries) {
          feed?.add($1, of: $0)
        } failed: { error in
          console.printError("martlet apns-sandbox: \(error)")
        }
      }
      await termination.value
      await sandbox.stop()
      taker.finish()
    }
    await page?.stop()
    return .yes
  }

  private func page(_ feed: SandboxFeed?) throws -> SandboxPage? {
    guard let feed, let pageAddress else { return nil }
    return try SandboxPage(host: pageAddress.host, port: pageAddress.port, feed: feed)
  }

  /// A host as a URL has it.
  private static func named(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// The configuration, and the path of what clients are to trust.
  private func configuration(
    _ console: Console
  ) throws -> (APNsSandbox.Configuration, authority: String) {
    var configuration: APNsSandbox.Configuration
    let authority: URL
    if let certificate {
      authority = URL(fileURLWithPath: certificate.certificate)
      configuration = APNsSandbox.Configuration(
        certificatePEM: try text(certificate.certificate, "the certificate"),
        keyPEM: try text(certificate.key, "the certificate's key"))
    } else {
      let own = try SandboxAuthority(directory: URL(fileURLWithPath: directory))
      authority = own.certificateFile
      let leaf = try own.issue(for: address.host)
      configuration = APNsSandbox.Configuration(
        certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    }
    configuration.host = address.host
    configuration.port = address.port
    configuration.providerKeys = try providerKeys.map { key in
      APNsSandbox.ProviderKey(
        teamID: key.teamID, keyID: key.keyID, pem: try text(key.file, "a provider key"))
    }
    configuration.strictJWT = isStrict
    configuration.latency = latency
    if let idleTimeout { configuration.idleTimeout = idleTimeout }
    configuration.clientAuthorityPEM = try clientCA.map {
      try text($0, "the certificate that --client-ca names")
    }
    configuration.maxStreams = maxStreams
    if let scriptFile { configuration.script = try Self.script(scriptFile) }
    if let journalFile { configuration.journal = try Self.journal(journalFile, console) }
    return (configuration, authority.standardizedFileURL.path)
  }

  private func text(_ path: String, _ what: String) throws -> String {
    String(decoding: try readFile(path, what), as: UTF8.self)
  }

  /// More than any script needs: a thousand rules are a tenth of it.
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
      throw CommandFailure("\(path): \(error); docs/sandbox.md has the keys", cause: error)
    }
  }

  private static func journal(
    _ path: String, _ console: Console
  ) throws -> @Sendable (String) -> Void {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandFailure("cannot write the journal \(path): \(String(cString: strerror(errno)))")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let isWhole = Mutex(true)
    return { line in
      do { try handle.write(contentsOf: Data((line + "\n").utf8)) } catch {
        // Once, for the next requests will fare no better.
        let isFirst = isWhole.withLock { isWhole in
          defer { isWhole = false }
          return isWhole
        }
        if isFirst {
          console.printError(
            "martlet apns-sandbox: cannot write the journal \(path), which lacks requests from now on: "
              + "is the disk full?")
        }
      }
    }
  }
}
