import Foundation
import PushPayload

/// A file from the command line that is read.
enum InputFile {
  /// The most bytes of a payload, which are far more than APNs accepts, so that the size can be
  /// reported.
  static let payloadLimit = 16 << 20

  /// The bytes of a file; `role` is its purpose in an error, such as "which --key-file names".
  static func data(_ path: String, role: String) throws -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      let reason =
        FileManager.default.fileExists(atPath: path)
        ? "it is not readable" : "there is no such file"
      throw CommandFailure("cannot read \(path), \(role): \(reason)", cause: error)
    }
  }

  /// The text of an option's file: a key, a certificate or a configuration.
  static func text(_ path: String, of option: some CommandOption) throws -> String {
    let role = "which \(option.definition.name) names"
    let bytes = Array(try data(path, role: role))
    if let problem = TextEncoding.problem(in: bytes) {
      throw CommandFailure("cannot read \(path), \(role): it \(problem)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of a payload from a file, a pipe (`<(jq …)`) or, for `-`, standard input.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be read or is larger than ``payloadLimit``.
  static func payload(_ operand: String, _ console: Console) throws -> Data {
    let name = operand == "-" ? "standard input" : operand
    let data: Data
    do {
      if operand == "-" {
        data = try console.readInput(payloadLimit + 1)
      } else {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: operand))
        defer { try? file.close() }
        data = try file.read(upToCount: payloadLimit + 1) ?? Data()
      }
    } catch {
      let reason = InputPaths.isFolder(operand) ? "it is a folder" : "is it there, and readable?"
      throw CommandFailure("cannot read \(name): \(reason)", cause: error)
    }
    guard data.count <= payloadLimit else {
      throw CommandFailure("\(name) has more than 16 MiB; a payload has 4 KiB")
    }
    return data
  }
}
