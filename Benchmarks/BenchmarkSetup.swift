import BenchmarkSample
import Foundation
import _HTTPServer
import _TLS

/// What both sides of a comparison share: the folder, the certificate, the key and the processors.
struct BenchmarkSetup {
  /// Whether clients are bound to one processor, and servers and this process to another.
  var isDivided = true
  var clientCore: Int? { isDivided ? min(1, Machine.processors - 1) : nil }
  var serverCore: Int? { isDivided ? 0 : nil }

  let folder: URL

  init(folder: URL) throws {
    self.folder = folder
    let authority = try CertificateAuthority()
    let server = try authority.issue(hosts: ["127.0.0.1"])
    try write(authority.certificatePEM, "ca.pem")
    try write(server.certificatePEM, "server.pem")
    try write(server.keyPEM, "server.key")
    // A .p8 file is a P-256 key in PEM, as this one is.
    try write(authority.keyPEM, "push.p8")
  }

  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  func write(_ text: String, _ name: String) throws {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
  }

  /// Starts a process of this program on the clients' processor.
  func client(_ arguments: String...) throws -> Child {
    try Child([ProcessInfo.processInfo.arguments[0]] + arguments, core: clientCore)
  }

  /// Starts the client of `Benchmarks/Push`.
  func pushClient(_ count: Int, to endpoint: String, connections: Int = 1) throws -> Child {
    let program = URL(filePath: ProcessInfo.processInfo.arguments[0])
      .deletingLastPathComponent().appending(path: "bench-push").path
    return try Child(
      [program, endpoint, folder.path(percentEncoded: false), "\(count)", "\(connections)"],
      core: clientCore)
  }

  /// Starts a server with a free port and waits until it listens.
  func server(_ command: (UInt16) -> [String]) throws -> (server: Child, port: UInt16) {
    let port = try HTTPServer { _ in HTTPResponse(status: 404) }.port
    let server = try Child(command(port), core: serverCore, printsNothing: true)
    try server.waitUntilListening(on: port)
    return (server, port)
  }

  /// Starts a sandbox that answers at once, and returns its URL with it.
  func sandbox() throws -> (server: Child, url: String) {
    let (server, port) = try server { port in
      [
        ProcessInfo.processInfo.arguments[0], "sandbox", "\(port)",
        folder.path(percentEncoded: false), "0",
      ]
    }
    return (server, "https://127.0.0.1:\(port)")
  }
}

/// The machine that the measurement runs on.
enum Machine {
  /// The number of processors that are online, whether or not this process may use them.
  static let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

  static var description: String {
    let model = ProcessTable.lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let load = ProcessTable.lines("/proc/loadavg").first?.split(separator: " ").first ?? "?"
    return """
      \(processors) × \(model ?? "unknown processor"), \
      \(ProcessInfo.processInfo.operatingSystemVersionString), load \(load) at the start
      """
  }
}

extension Collection<Double> {
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
