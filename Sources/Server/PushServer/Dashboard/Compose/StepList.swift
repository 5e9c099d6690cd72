import Markup
import PushPayload

/// The steps of a message or of a campaign in a row, with what each has and whether anything has to be changed.
///
/// The steps are sections of one page, to which the row leads; the last one is the button that submits the form.
struct StepList: Sendable {
  /// A section of the form.
  enum Step: String, CaseIterable, Sendable {
    case audience, message, schedule

    var title: String {
      switch self {
      case .audience: "Audience"
      case .message: "Message"
      case .schedule: "Schedule"
      }
    }
    /// The identifier of the section.
    var id: String { rawValue + "-step" }
  }

  /// A section with what it has, in a few words.
  struct Entry: Sendable {
    var step: Step
    var words: String
    /// The number of mistakes and missing values.
    var problems: Int

    init(_ step: Step, problems: Int, words: String) {
      (self.step, self.problems) = (step, problems)
      self.words = problems > 0 ? "\(problems) to do" : words
    }
  }

  var entries: [Entry]
  /// The value of the button that leads to the review; `nil` if the user may not go there.
  var review: String?
  /// On the page of the review, the form with what was written, and the path of the page with the steps.
  var back: (form: String, path: String)?

  var html: HTML {
    let items = entries.map { entry -> HTML in
      let content: HTML = """
        <span class="title">\(entry.step.title)</span> <span class="state">\(entry.words)</span>
        """
      let link =
        back.map { back -> HTML in
          """
          <button form="\(back.form)" name="action" value="preview" formaction="\(back.path)#\(entry.step.id)">\(content)</button>
          """
        } ?? "<a href=\"#\(entry.step.id)\">\(content)</a>"
      return """
        <li class="\(entry.problems > 0 ? "open" : "done")" data-step="\(entry.step.rawValue)">\(link)</li>
        """
    }
    let last =
      review.map { value -> HTML in
        """
        <li><button name="action" value="\(value)"><span class="title">Review</span></button></li>
        """
      }
      ?? back.map { _ -> HTML in
        "<li><span class=\"here\" aria-current=\"step\"><span class=\"title\">Review</span></span></li>"
      }
    return "<nav class=\"steps\" aria-label=\"Steps\"><ol>\(items)\(last)</ol></nav>"
  }

  /// The states as a script shows them while somebody types.
  var json: JSONValue {
    .array(
      entries.map { entry in
        [
          "step": .string(entry.step.rawValue), "words": .string(entry.words),
          "done": .bool(entry.problems == 0),
        ]
      })
  }
}

extension ComposePreview {
  /// The steps of the composer with their states.
  func steps(review: String?) -> StepList {
    var problems: [StepList.Step: Int] = [:]
    for remark in remarks where remark.severity == Self.refusal && remark.field != .testDevice {
      problems[Self.step(of: remark.place), default: 0] += 1
    }
    if isBlank, kind != .message || form[.title].isEmpty {
      problems[.message] = max(problems[.message] ?? 0, 1)
    }
    return StepList(
      entries: StepList.Step.allCases.map { step in
        StepList.Entry(step, problems: problems[step] ?? 0, words: words(of: step))
      }, review: review)
  }

  private func words(of step: StepList.Step) -> String {
    switch step {
    case .audience: devices.map(AudienceReach.devices) ?? "chosen"
    case .message:
      form.languages.isEmpty
        ? [form[.title], form[.text]].first { !$0.isEmpty } ?? "written"
        : "\(form.languages.count + 1) texts"
    case .schedule:
      form[.scheduledAt].isEmpty ? "now" : form[.scheduledAt].replacing("T", with: " ")
    }
  }

  private static func step(of place: String?) -> StepList.Step {
    guard let field = place.flatMap(ComposeField.init(rawValue:)) else { return .message }
    switch field {
    case .to, .kind: return .audience
    case .scheduledAt, .localTime, .expiresAt, .unpublishAt, .throttle, .sendName, .labels:
      return .schedule
    default: return .message
    }
  }
}
