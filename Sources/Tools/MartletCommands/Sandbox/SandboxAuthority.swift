import APNsSandbox
import Foundation

/// The sandbox's certificate authority, whose certificate and key are files in a directory.
struct SandboxAuthority {
  let certificateFile: URL
  private let certificates: SandboxCertificates

  /// Reads `ca.pem` and `ca-key.pem`, or creates them if they are missing.
  init(directory: URL) throws {
    certificateFile = directory.appending(path: "ca.pem")
    let keyFile = directory.appending(path: "ca-key.pem")
    if FileManager.default.fileExists(atPath: keyFile.path) {
      certificates = try Self.read(certificateFile, keyFile)
      return
    }
    do {
      certificates = try SandboxCertificates()
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(certificates.authorityPEM.utf8).write(to: certificateFile, options: .atomic)
      try Self.write(secret: certificates.keyPEM, to: keyFile)
    } catch {
      throw CommandFailure(
        "cannot keep a certificate in \(directory.path): is it a directory that can be written?",
        cause: error)
    }
  }

  private static func read(_ certificate: URL, _ key: URL) throws -> SandboxCertificates {
    do {
      return try SandboxCertificates(
        authorityPEM: String(contentsOf: certificate, encoding: .utf8),
        keyPEM: String(contentsOf: key, encoding: .utf8))
    } catch {
      throw CommandFailure(
        "\(certificate.path) and \(key.path) are no certificate with its key; restore them, or delete"
          + " both, and give the new ca.pem to who trusts the old one", cause: error)
    }
  }

  /// Issues a certificate for `host` and `localhost`; for an unspecified address, this machine's name is used.
  func issue(for host: String) throws -> SandboxCertificates.Identity {
    let isAny = ["0.0.0.0", "::"].contains(host)
    let own = isAny ? [ProcessInfo.processInfo.hostName] : [host]
    return try certificates.issueServer(hosts: own + ["localhost", "127.0.0.1", "::1"])
  }

  /// Creates a file that only its owner can read from the beginning.
  private static func write(secret: String, to file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure("cannot write \(file.path)") }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      .write(contentsOf: Data(secret.utf8))
  }
}
