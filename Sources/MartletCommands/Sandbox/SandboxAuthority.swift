import Foundation
import _TLS

/// The sandbox's certificate authority, which is made once and kept in its data directory.
struct SandboxAuthority {
  let certificateFile: URL
  private let authority: CertificateAuthority

  /// Reads `ca.pem` and `ca-key.pem` of a directory, or makes them.
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

  /// A certificate for the names by which clients on this machine reach the server.
  func issue(for host: String) throws -> (certificatePEM: String, keyPEM: String) {
    let isAny = ["0.0.0.0", "::"].contains(host)
    let own = isAny ? [ProcessInfo.processInfo.hostName] : [host]
    return try authority.issue(hosts: own + ["localhost", "127.0.0.1", "::1"])
  }

  /// Writes a file that nobody else can read, not even while it is being written.
  private static func write(secret: String, to file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure("cannot write \(file.path)") }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      .write(contentsOf: Data(secret.utf8))
  }
}
