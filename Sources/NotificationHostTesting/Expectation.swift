import Foundation
public import NotificationHost
public import Testing

extension DeliveryReport {
  /// Expects what the person sees.
  ///
  /// A test that fails says what was shown in its place and by which rule, and has the whole way and
  /// every attached file as attachments: `swift test --attachments-path` keeps them.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - title: The title; `nil` for any.
  ///   - body: The text; `nil` for any.
  ///   - attachments: The types of the files in order, each a Uniform Type Identifier; `nil` for any.
  ///   - sourceLocation: Where a failure is shown.
  public func expect(
    _ outcome: Outcome, title: String? = nil, body: String? = nil, attachments: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let differences = differences(outcome, title, body, attachments)
    guard !differences.isEmpty else { return }
    Attachment.record(description, named: "trace.txt", sourceLocation: sourceLocation)
    for shown in self.attachments {
      guard let bytes = try? [UInt8](Data(contentsOf: shown.file)) else { continue }
      let name = shown.file.lastPathComponent
      Attachment.record(bytes, named: name, sourceLocation: sourceLocation)
    }
    let text = (differences + [description]).joined(separator: "\n")
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }

  /// What is not as expected, a line each.
  func differences(
    _ outcome: Outcome, _ title: String?, _ body: String?, _ types: [String]?
  ) -> [String] {
    var lines: [String] = []
    if self.outcome != outcome {
      lines.append("the outcome is \(self.outcome.rawValue), not \(outcome.rawValue)")
    }
    for (name, shown, wanted) in [("title", content?.title, title), ("body", content?.body, body)] {
      guard let wanted, shown != wanted else { continue }
      lines.append("the \(name) is \(shown.map { "“\($0)”" } ?? "not there"), not “\(wanted)”")
    }
    if let types, attachments.map(\.type) != types {
      lines.append("the attachments are \(attachments.map(\.type)), not \(types)")
    }
    return lines
  }
}
