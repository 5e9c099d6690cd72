#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  import Foundation
  public import NotificationHost
  public import Testing

  extension DeliveryReport {
    /// Expects an outcome and content, and records an issue for any difference.
    ///
    /// The issue lists the differences and the trace. Missing attachments are followed by ``missingMediaReasons``. The trace and
    /// every attached file become attachments of the test, which `swift test --attachments-path` saves.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - title: The title; `nil` accepts any.
    ///   - body: The body; `nil` accepts any.
    ///   - attachments: The Uniform Type Identifiers of the attachments, in order; `nil` accepts any.
    ///   - sourceLocation: The source location of the issue.
    public func expect(
      _ outcome: Outcome, title: String? = nil, body: String? = nil, attachments: [String]? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let differences = differences(
        from: outcome, title: title, body: body, attachments: attachments)
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

    /// The differences from the expected values, one line each.
    func differences(
      from outcome: Outcome, title: String?, body: String?, attachments types: [String]?
    ) -> [String] {
      var lines: [String] = []
      if self.outcome != outcome {
        lines.append("the outcome is \(self.outcome.rawValue), not \(outcome.rawValue)")
      }
      for (name, shown, wanted) in [
        ("title", content?.title, title), ("body", content?.body, body),
      ] {
        guard let wanted, shown != wanted else { continue }
        lines.append("the \(name) is \(shown.map { "“\($0)”" } ?? "not there"), not “\(wanted)”")
      }
      if let types, attachments.map(\.type) != types {
        let differs = "the attachments are \(attachments.map(\.type)), not \(types)"
        let reasons = types.count > attachments.count ? missingMediaReasons : []
        lines.append(([differs] + reasons).joined(separator: "; "))
      }
      return lines
    }
  }
#endif
