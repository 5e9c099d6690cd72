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
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "cannot make \(file): \(String(cString: strerror(errno))); an existing file is not replaced"
      )
    }
    let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var (count, left) = (0, 0)
    var last: UInt32?
    while true {
      let page = try await store.devices(app: app, above: last, limit: Self.pageSize)
      guard let final = page.last else { break }
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
        // Otherwise the next export would refuse the file because it exists.
        try? FileManager.default.removeItem(atPath: file)
        throw CommandFailure("cannot write \(file); is the disk full?", cause: error)
      }
    }
    try output.synchronize()
    console.print(
      "\(count) devices written" + (left == 0 ? "" : ", \(left) without a token left out"))
    return .success
  }
}
