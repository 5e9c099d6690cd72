import Foundation
package import Testing

/// Expects that every ```` ```swift ```` block of a documentation page is code of a test file.
///
/// Whitespace is normalized, so that the code may be indented differently in the file.
///
/// - Parameters:
///   - page: The page's path from the package's root.
///   - file: The test file's absolute path, as `#filePath` gives it.
///   - sourceLocation: The source location of an issue.
/// - Throws: An error if the page or the file cannot be read.
package func expectSnippets(
  of page: String, in file: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
  let code = normalized(try String(contentsOf: URL(filePath: file), encoding: .utf8))
  let snippets = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
    $0.components(separatedBy: "\n```").first
  }
  #expect(!snippets.isEmpty, "\(page) has no Swift code", sourceLocation: sourceLocation)
  for snippet in snippets where !code.contains(normalized(snippet)) {
    Issue.record(
      "a snippet of \(page) is not in \(file):\n\(snippet)", sourceLocation: sourceLocation)
  }
}

private func normalized(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
