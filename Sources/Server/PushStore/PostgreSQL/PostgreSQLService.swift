import Foundation
package import PushModel
import _PostgreSQL

/// An address as a service of libpq, for PostgreSQL's own programs.
///
/// Other users of the machine can read a program's arguments, but not its service file.
///
/// Source: PostgreSQL's manual, "The Connection Service File".
package enum PostgreSQLService {
  package static let name = "martlet"

  /// The text of a service file with one service, completed like a store's address.
  ///
  /// - Throws: ``StoreError/Code/cannotOpen`` if libpq cannot parse the address, or a service file cannot express it.
  package static func text(of url: String) throws(StoreError) -> String {
    let parameters: [String: String]
    do {
      parameters = try PostgreSQLAddress.completeParameters(of: url)
    } catch {
      throw StoreError(.cannotOpen, error.message, cause: error)
    }
    var lines = ["[\(name)]"]
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      // A line cannot have quotes, and libpq ignores spaces at its end.
      guard value == value.trimmingCharacters(in: .whitespacesAndNewlines), !value.contains("\n")
      else {
        throw StoreError(
          .cannotOpen,
          "the \(name) of the database begins or ends with a space, or has a line break, which"
            + " pg_dump cannot be told; change it, or run pg_dump yourself")
      }
      lines.append("\(name)=\(value)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
