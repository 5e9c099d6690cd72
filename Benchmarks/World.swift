import Foundation
import PushCrypto
import _OpenSSLCrypto
import _TLS

/// What both sides of a comparison share: a folder, a certificate, a key, a processor each.
struct World {
  /// Clients run on one processor and servers, with the conductor, on the other.
  static let clientCore = min(1, ProcessInfo.processInfo.activeProcessorCount - 1)
  static let serverCore = 0

  let folder: URL

  init(folder: URL) throws {
    self.folder = folder
    let authority = try CertificateAuthority()
    let server = try authority.issue(hosts: ["127.0.0.1"])
    try write(authority.certificatePEM, "ca.pem")
    try write(server.certificatePEM, "server.pem")
    try write(server.keyPEM, "server.key")
    // A .p8 file is a P-256 key as PEM, and so is this one.
    try write(authority.keyPEM, "push.p8")
  }

  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  func write(_ text: String, _ name: String) throws {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
  }

  /// Another process of this program, on the clients' processor or the servers'.
  func ourselves(_ arguments: String..., core: Int) throws -> Child {
    try Child([ProcessInfo.processInfo.arguments[0]] + arguments, core: core)
  }
}

/// What the numbers were measured on.
enum Machine {
  static var description: String {
    let model = lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let load = lines("/proc/loadavg").first?.split(separator: " ").first ?? "?"
    return """
      \(ProcessInfo.processInfo.activeProcessorCount) × \(model ?? "unknown processor"), \
      \(ProcessInfo.processInfo.operatingSystemVersionString), load \(load) at the start
      """
  }

  static func lines(_ path: String) -> [Substring] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
  }
}

extension Collection<Double> {
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
