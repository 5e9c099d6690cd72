import Foundation
import NotificationHost
import PhoneCards

/// A folder in which the attached files of simulated payloads are kept.
struct KeptFiles: Sendable {
  /// The path of the folder, which is created if it does not exist.
  let folder: String
  /// The prefix of a file's number, such as `2-` for the second of several payloads.
  let prefix: String

  /// The folder for the files of a card, such as `push-media` next to `push.png`.
  static func folder(of card: String) -> String {
    let url = URL(fileURLWithPath: card)
    let name = url.deletingPathExtension().lastPathComponent + "-media"
    return url.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
  }

  /// Copies the attached files of a report, whose paths then name the copies.
  ///
  /// It replaces files of an earlier run with the same name.
  ///
  /// - Throws: ``CommandFailure`` if the folder cannot be written.
  func keep(_ report: inout SimulationReport) throws {
    report.keepsFiles = true
    let directory = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    do {
      for index in report.delivery.report.attachments.indices {
        let file = report.delivery.report.attachments[index].file
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let pathExtension = file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)"
        let copy = directory.appending(path: "\(prefix)\(index + 1)\(pathExtension)")
        try Data(contentsOf: file, options: .mappedIfSafe).write(to: copy, options: .atomic)
        report.delivery.report.attachments[index].file = copy
      }
    } catch {
      throw CommandFailure(
        "cannot keep attached files in \(folder): is it a folder, writable, and the disk not full?",
        cause: error)
    }
  }
}
