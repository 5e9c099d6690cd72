import Foundation

/// The text of a file that an option names: a key, a certificate, a configuration.
func readText(_ path: String, of option: String) throws -> String {
  let data = try readFile(path, "which \(option) names")
  guard let text = String(data: data, encoding: .utf8) else {
    throw CommandFailure("cannot read \(path), which \(option) names: it is no text")
  }
  return text
}

/// What a command reads of a payload at most: far more than APNs takes, so that the size can be told.
let payloadReadLimit = 16 << 20

/// The bytes of a payload: of a file, of a pipe (`<(jq …)`) or, for `-`, of standard input.
///
/// - Throws: ``CommandFailure`` where it cannot be read or has no end in sight.
func readPayload(_ operand: String, _ console: Console) throws -> Data {
  let name = operand == "-" ? "standard input" : operand
  let data: Data
  do {
    if operand == "-" {
      data = try console.readInput(payloadReadLimit + 1)
    } else {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: operand))
      defer { try? file.close() }
      data = try file.read(upToCount: payloadReadLimit + 1) ?? Data()
    }
  } catch {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: operand, isDirectory: &isFolder)
    let reason = isFolder.boolValue ? "it is a folder" : "is it there, and readable?"
    throw CommandFailure("cannot read \(name): \(reason)", cause: error)
  }
  guard data.count <= payloadReadLimit else {
    throw CommandFailure("\(name) has more than 16 MiB; a payload has 4 KiB")
  }
  return data
}
