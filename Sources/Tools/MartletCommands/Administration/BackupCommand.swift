import Foundation
import PushModel
import PushPayload
import PushStore

/// `martlet backup`: copies the store into one file, even while `serve` is running.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "copy the store into one file, also beside a running serve"
  static let discussion = """
    A SQLite store is copied as a SQLite file, one in PostgreSQL by pg_dump in its custom format. The
    copy needs the secret.key of its day, which is not in it, and neither are uploads of a SQLite
    store, which are files in the folder media. See docs/server/operations.md.
    """
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the file to write, which must not exist")
  static let options: [any CommandOption] = DataDirectory.Options.all + [CommonOptions.json]

  private let arguments: Arguments
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    file = try arguments.backupFile()
  }

  func run(_ console: Console) async throws -> ExitCode {
    let data = try DataDirectory(arguments)
    try await console.cancelledBySignals { [file] in
      try await BackupFile(path: file).write(report: console.printError) { part in
        if let database = data.database {
          try SQLiteBackup.copy(database, into: part)
        } else {
          try await PostgreSQLBackup(url: data.postgreSQL ?? "").make(at: part)
        }
      }
    }
    let uploads = (try? FileManager.default.contentsOfDirectory(atPath: data.media)) ?? []
    if data.database != nil, !uploads.isEmpty {
      console.printError(
        "martlet backup: uploads are files, which this copy has not: copy \(data.media) too")
    }
    console.printSize(of: file, as: "backup", isJSON: arguments[CommonOptions.json])
    return .success
  }
}

extension Arguments {
  func backupFile() throws -> String {
    _ = try DataDirectory(self)
    return operands[0]
  }
}

extension Console {
  /// Prints the path and the size of a written file.
  func printSize(of file: String, as name: String, isJSON: Bool) {
    let path = URL(filePath: file).standardizedFileURL.path
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if isJSON {
      let result: JSONValue = [name: .string(path), "bytes": .integer(Int64(size))]
      print(result.line)
    } else {
      print("\(name): \(path), \(size) bytes")
    }
  }
}
