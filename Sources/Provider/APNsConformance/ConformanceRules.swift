import Foundation
import _ConformanceFiles

/// The rules that the program carries.
package enum ConformanceRules {
  /// All rules, in the order of their files.
  ///
  /// - Returns: The rules.
  /// - Throws: ``ConformanceError`` if a file has a rule that is not understood.
  package static func all() throws(ConformanceError) -> [ConformanceRule] {
    var rules: [ConformanceRule] = []
    for file in ConformanceFile.all { rules += try read(file.bytes, named: file.name) }
    return rules
  }

  /// Reads a file of rules.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text, an array of rules.
  ///   - name: The file's name for an error.
  /// - Returns: The rules.
  /// - Throws: ``ConformanceError`` if it is not such a file.
  package static func read(
    _ bytes: [UInt8], named name: String
  ) throws(ConformanceError) -> [ConformanceRule] {
    do { return try JSONDecoder().decode([ConformanceRule].self, from: Data(bytes)) } catch {
      let reason =
        switch error as? DecodingError {
        case .dataCorrupted(let context), .keyNotFound(_, let context),
          .typeMismatch(_, let context), .valueNotFound(_, let context):
          "\(path(context.codingPath)): \(context.debugDescription)"
        default: "\(error)"
        }
      throw ConformanceError(.badRule, "\(name): \(reason)", cause: error)
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
  }
}

/// The error of a run that could not take place.
package struct ConformanceError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  package struct Code: Hashable, Sendable {
    private enum Raw { case badRule, unreachable, notAccepted, noAnswer, system }
    private let raw: Raw
    /// A rule is not understood.
    package static let badRule = Code(raw: .badRule)
    /// The server cannot be reached, or does not speak HTTP/2 over TLS.
    package static let unreachable = Code(raw: .unreachable)
    /// The server refuses a push without a fault, so that no refusal of it says anything.
    package static let notAccepted = Code(raw: .notAccepted)
    /// The server did not answer in time.
    package static let noAnswer = Code(raw: .noAnswer)
    /// The operating system refused a resource.
    package static let system = Code(raw: .system)
  }

  package var code: Code
  /// The fault and its remedy; never contains a key.
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
