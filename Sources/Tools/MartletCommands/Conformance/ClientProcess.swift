import APNsConformance
import Foundation
import _Spawn

/// A client of APNs that a shell command runs, once for each rule.
struct ClientProcess: Sendable {
  /// The time that a command has for its pushes, in seconds.
  private static let limit = 30

  private let command: String

  init(_ command: String) { self.command = command }

  /// Runs the command for a task, and reads its results.
  func send(_ task: ClientTask) async throws -> [ClientReport] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "martlet-conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let authority = folder.appending(path: "ca.pem")
    let key = folder.appending(path: "AuthKey.p8")
    try Data(task.authorityPEM.utf8).write(to: authority)
    try Data(task.identity.keyPEM.utf8).write(to: key)
    let variables = [
      "APNS_HOST": task.host, "APNS_PORT": String(task.port), "APNS_CA": authority.path(),
      "APNS_KEY": key.path(), "APNS_KEY_ID": task.identity.keyID,
      "APNS_TEAM_ID": task.identity.teamID, "APNS_TOPIC": task.topic,
      "APNS_PAYLOAD": task.payload, "APNS_TOKENS": task.tokens.joined(separator: " "),
      "APNS_TOGETHER": task.isTogether ? "1" : "0",
    ]
    // timeout ends the whole process group of a command that hangs.
    let process = try ChildProcess(
      "/usr/bin/env",
      variables.map { "\($0.key)=\($0.value)" }
        + ["timeout", "--kill-after=1", String(Self.limit), "sh", "-c", command])
    var reports: [ClientReport] = []
    for await line in process.lines {
      if let report = ClientReport(line: line) { reports.append(report) }
    }
    switch await process.wait() {
    case 124, 137: throw CommandFailure("it did not end within \(Self.limit) seconds")
    case 126, 127: throw CommandFailure("the command cannot be run")
    default: return reports
    }
  }
}
