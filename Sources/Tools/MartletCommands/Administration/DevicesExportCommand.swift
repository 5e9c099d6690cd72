import Foundation
import PushModel
import PushServer

/// `martlet devices export`: writes the devices of an app in the form that devices import reads.
struct DevicesExportCommand: Command {
  static let name = "devices export"
  static let summary = "write an app's devices as devices import reads them"
  static let discussion = """
    Each line is a device as JSON: identifiers, push token, user, tags, attributes, language and
    versions. Erased devices and those without a token are left out, and so are the keys of encrypted
    payloads. Reads the store, also beside a running serve. The file is readable by its owner only.
    """
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the new file, such as devices.ndjson")

  static let options: [any CommandOption] =
    [DevicesImportCommand.Options.app] + DataDirectory.Options.all

  /// The number of devices that are read at once.
  private static let pageSize = 1000

  private let arguments: Arguments
  private let app: String
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[DevicesImportCommand.Options.app]
    file = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let store = try await DataDirectory(arguments).openStore(for: console)
    _ = try await store.requiredApp(app)
    let (count, left) = try await console.cancelledBySignals { [app, file] in
      var counts = (written: 0, left: 0)
      try await BackupFile(path: file).write(report: console.printError) { part in
        counts = try await Self.write(store, app: app, to: part)
      }
      return counts
    }
    console.print(
      "\(count) devices written" + (left == 0 ? "" : ", \(left) without a token left out"))
    return .success
  }

  /// Writes the devices of an app into an empty file.
  ///
  /// - Returns: The numbers of devices that were written, and of those without a token.
  private static func write(
    _ store: any PushStore, app: String, to part: String
  ) async throws -> (written: Int, left: Int) {
    let output = try FileHandle(forWritingTo: URL(filePath: part))
    defer { try? output.close() }
    var (count, left) = (0, 0)
    var last: UInt32?
    while true {
      try Task.checkCancellation()
      let page = try await store.devices(app: app, above: last, limit: pageSize)
      guard let final = page.last else { return (count, left) }
      last = final.number
      var bytes: [UInt8] = []
      for device in page where device.erasedAt == nil {
        guard let line = DeviceLine.text(of: device) else {
          left += 1
          continue
        }
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
        count += 1
      }
      do {
        try output.write(contentsOf: Data(bytes))
      } catch {
        throw CommandFailure("cannot write \(part); is the disk full?", cause: error)
      }
    }
  }
}
