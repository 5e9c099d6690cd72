#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  package import Foundation
  package import Testing

  /// Expects that each Swift code block of some documentation is code of a test file.
  ///
  /// - Parameters:
  ///   - documentation: A Markdown page, or a Swift file with documentation comments, by its path from the package's root.
  ///   - testFile: The absolute path of the test file, as `#filePath` gives it.
  ///   - sourceLocation: The source location of an issue.
  /// - Throws: An error of reading either file.
  package func expectSnippets(
    of documentation: String, in testFile: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let page = Repository.url(documentation)
    let snippets = try DocumentationSnippets.snippets(of: page)
    #expect(!snippets.isEmpty, "\(documentation) has no Swift code", sourceLocation: sourceLocation)
    for snippet in try DocumentationSnippets.missing(of: page, from: URL(filePath: testFile)) {
      Issue.record(
        "this code of \(documentation) is not in the test:\n\(snippet)",
        sourceLocation: sourceLocation)
    }
  }

  /// The Swift code blocks of documentation, which a test compares with code that runs.
  package enum DocumentationSnippets {
    /// The code blocks of some documentation that a test file does not contain.
    ///
    /// White space is compared as one space, so a test may indent the code of a snippet. Each `import` of a snippet is
    /// looked for by itself, since imports are at the top of a file.
    ///
    /// - Parameters:
    ///   - documentation: A Markdown page, or a Swift file with documentation comments.
    ///   - testFile: The Swift file that has the code of each snippet.
    /// - Returns: The snippets that are missing, for a test to expect none.
    /// - Throws: An error of reading either file.
    package static func missing(of documentation: URL, from testFile: URL) throws -> [String] {
      let code = normalized(try String(contentsOf: testFile, encoding: .utf8))
      return try snippets(of: documentation).filter { snippet in
        let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
        let imports = lines.filter { $0.hasPrefix("import ") }
        let body = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
        return !imports.allSatisfy { code.contains($0) } || !code.contains(normalized(body))
      }
    }

    /// The code blocks that begin with three backticks and `swift`.
    ///
    /// - Parameter documentation: A Markdown page, or a Swift file with documentation comments.
    /// - Returns: The code of each block.
    /// - Throws: An error of reading the file.
    package static func snippets(of documentation: URL) throws -> [String] {
      let isSource = documentation.pathExtension == "swift"
      let text = try String(contentsOf: documentation, encoding: .utf8)
      var snippets: [String] = []
      var open: [Substring]?
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let markdown = isSource ? commentText(of: line) : line
        if let lines = open {
          if markdown == "```" {
            snippets.append(lines.joined(separator: "\n"))
            open = nil
          } else {
            open = lines + [markdown]
          }
        } else if markdown == "```swift" {
          open = []
        }
      }
      return snippets
    }

    /// The text of a line of a documentation comment; empty for any other line.
    private static func commentText(of line: Substring) -> Substring {
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("///") else { return "" }
      let text = trimmed.dropFirst(3)
      return text.hasPrefix(" ") ? text.dropFirst() : text
    }

    private static func normalized(_ code: String) -> String {
      code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
#endif
