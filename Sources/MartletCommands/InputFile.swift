import Foundation

/// The text of a file that an option names: a key, a certificate, a configuration.
func readText(_ path: String, of option: String) throws -> String {
  let data = try readFile(path, "which \(option) names")
  guard let text = String(data: data, encoding: .utf8) else {
    throw CommandFailure("cannot read \(path), which \(option) names: it is no text")
  }
  return text
}
