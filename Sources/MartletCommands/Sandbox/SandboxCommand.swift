package import APNsSandbox
import Foundation
import _TLS

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
    Option("--strict-jwt", help: "refuse provider tokens that Apple takes and RFC 7515 does not"),
    Option("--journal", "FILE", help: "append one JSON line a request"),
    Option("--forward", "DIR", help: "deliver to simulated phones: a card and a JSON a push"),
    Option("--media-ca", "FILE", help: "PEM certificates those phones trust for media"),
    Option("--latency", "DURATION", help: "how long each answer waits; default 0s"),
    Option("--script", "FILE", help: "what goes wrong, and when; see docs/sandbox.md"),
    Option("--max-streams", "N", help: "streams a connection may have; default 1000"),
  ]

  private let address: (host: String, port: UInt16)
  private let directory: String
  private let certificate: (certificate: String, key: String)?
  private let providerKeys: [(teamID: String, keyID: String, file: String)]
  private let isStrict: Bool
  private let journalFile: String?
  private let latency: Duration
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
    latency = try arguments.duration("--latency") ?? .zero
    maxStreams = try arguments.integer("--max-streams", in: 1...1_000_000, default: 1000) ?? 1000
    scriptFile = arguments.value("--script")
    forwardFolder = arguments.value("--forward")
    mediaCA = arguments.value("--media-ca")
    if mediaCA != nil, forwardFolder == nil { throw UsageError("--media-ca needs --forward") }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let (configuration, authority) = try configuration()
    let (deliveries, taker) = AsyncStream<SandboxDelivery>.makeStream()
    var complete = configuration
    let forwarding = try forwardFolder.map {
      try SimulatedDevices(folder: URL(fileURLWithPath: $0), mediaCA: mediaCA)
    }
    if forwarding != nil { complete.onDelivery = { taker.yield($0) } }
    let sandbox = try APNsSandbox(configuration: complete)
    // Listens for the signal before it says that it is ready.
    let termination = Task { await console.untilTerminated() }
    defer { termination.cancel() }
    let port = try await sandbox.start()
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    console.print("listening on https://\(host):\(port)")
    console.print("ca: \(authority)")
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await delivery in deliveries {
          do { try await forwarding?.forward(delivery) } catch {
            console.printError("martlet apns-sandbox: \(error)")
          }
        }
      }
      await termination.value
      await sandbox.stop()
      taker.finish()
    }
    return .yes
  }

  /// The configuration, and the path of what clients are to trust.
  private func configuration() throws -> (APNsSandbox.Configuration, authority: String) {
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
    configuration.maxStreams = maxStreams
    if let scriptFile { configuration.script = try Self.script(scriptFile) }
    if let journalFile { configuration.journal = try Self.journal(journalFile) }
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

  private static func journal(_ path: String) throws -> @Sendable (String) -> Void {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandFailure("cannot write the journal \(path): \(String(cString: strerror(errno)))")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    return { line in try? handle.write(contentsOf: Data((line + "\n").utf8)) }
  }
}

/// Makes something of each push that the sandbox accepted.
package protocol SandboxForwarding: Sendable {
  /// Called for one push after the other, off the sandbox's thread; an error is one line on stderr.
  func forward(_ delivery: SandboxDelivery) async throws
}

/// The sandbox's own certificate authority, made once and kept in its directory.
struct SandboxAuthority {
  let certificateFile: URL
  private let authority: CertificateAuthority

  /// Reads `ca.pem` and `ca-key.pem`, or makes them.
  init(directory: URL) throws {
    certificateFile = directory.appending(path: "ca.pem")
    let keyFile = directory.appending(path: "ca-key.pem")
    do {
      if FileManager.default.fileExists(atPath: keyFile.path) {
        authority = try CertificateAuthority(
          certificatePEM: String(contentsOf: certificateFile, encoding: .utf8),
          keyPEM: String(contentsOf: keyFile, encoding: .utf8))
        return
      }
      authority = try CertificateAuthority()
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(authority.certificatePEM.utf8).write(to: certificateFile, options: .atomic)
      try Self.write(secret: authority.keyPEM, to: keyFile)
    } catch {
      throw CommandFailure(
        "cannot keep a certificate in \(directory.path): is it a directory that can be written?",
        cause: error)
    }
  }

  /// A certificate for what clients on this machine call the server.
  func issue(for host: String) throws -> (certificatePEM: String, keyPEM: String) {
    let isAny = ["0.0.0.0", "::"].contains(host)
    let own = isAny ? [ProcessInfo.processInfo.hostName] : [host]
    return try authority.issue(hosts: own + ["localhost", "127.0.0.1", "::1"])
  }

  /// A file that nobody else may read from its first moment on.
  private static func write(secret: String, to file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure("cannot write \(file.path)") }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      .write(contentsOf: Data(secret.utf8))
  }
}
