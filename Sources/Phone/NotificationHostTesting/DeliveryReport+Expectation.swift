#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  public import NotificationHost
  public import Testing

  extension DeliveryReport {
    /// Expects an outcome and content, and records an issue for any difference.
    ///
    /// The issue lists the differences and the trace. Missing attachments are followed by ``missingMediaReasons``.
    ///
    /// The payload, the trace, the card as a PNG, the requests with their responses and the files of the notification
    /// become attachments of the test, which `swift test --attachments-path` saves. Their names begin with the test
    /// function and the number of its failure: `picture-1-card.png`. The card is drawn by `martlet-card` or `martlet`, on
    /// `PATH` or beside the program of the tests. Without them there is `card.txt`, which says so.
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
      let text = (differences + [description]).joined(separator: "\n")
      let issue = Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
      // A known issue lets the test pass, which then has no attachments.
      guard issue.isFailure else { return }
      if let test = ExplainedTest.current { return test.add(self) }
      PushEvidence(self).attach(named: AttachmentName.next(), sourceLocation: sourceLocation)
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
