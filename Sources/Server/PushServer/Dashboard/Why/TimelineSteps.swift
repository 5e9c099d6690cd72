import Markup
import PushModel

/// The steps of a timeline as the items of a list.
///
/// A cause and a step that is not known say so in words and have another mark, so that nobody needs the colour.
struct TimelineSteps {
  private let told: Actions.DeviceTimeline
  private let request: PageRequest

  init(_ told: Actions.DeviceTimeline, _ request: PageRequest) {
    (self.told, self.request) = (told, request)
  }

  var html: HTML {
    var (html, last) = (HTML.empty, nil as DeliveryTimeline.Link?)
    for step in told.timeline.steps {
      // Steps in a row that lead to the same page have one link.
      html += item(step, link: step.link == last ? nil : step.link)
      last = step.link
    }
    return html
  }

  private func item(_ step: DeliveryTimeline.Step, link: DeliveryTimeline.Link?) -> HTML {
    let mark: (style: HTML, tag: HTML?) =
      switch step.meaning {
      case .passed: ("passed", nil)
      case .cause where DeliveryTimeline.waits.contains(step.code):
        ("waits", DeliveryTimeline.notYet)
      case .cause: ("bad", "<span class=\"tag bad\">Cause</span>")
      case .unknown: ("unknown", "<span class=\"tag unknown\">Not known</span>")
      }
    let advice = step.advice == told.timeline.verdict.advice ? nil : step.advice
    return """
      <li class="\(mark.style)"><div><strong>\(step.title)</strong> \(mark.tag) \
      \(step.at.map(HTML.timeWithSeconds))</div>\
      <div>\(HTML.withTimes(step.text))</div>\
      \(advice.map { "<div><strong>What to do:</strong> \($0)</div>" as HTML })\
      \(links(of: step, link))</li>

      """
  }

  private func links(of step: DeliveryTimeline.Step, _ link: DeliveryTimeline.Link?) -> HTML? {
    var links: [HTML] = []
    if let link {
      let title =
        switch link {
        case .notification: "View notification"
        case .outcome: "View all answers of APNs"
        case .run, .campaign: "View campaign"
        }
      links.append("<a href=\"\(WhyPages.home(of: link, request))\">\(title)</a> ")
    }
    if step.stage == .audience, step.meaning == .cause {
      let path = PersonPages.path(ofDevice: told.device.id, request)
      links.append("<a href=\"\(path)\">View device</a>")
    }
    return links.isEmpty ? nil : "<div class=\"links\">\(links)</div>"
  }
}

extension DeliveryTimeline {
  /// The kind of the verdict as a tag.
  var tag: HTML {
    if let cause {
      return Self.waits.contains(cause.code)
        ? Self.notYet : "<span class=\"tag bad\">Cause found</span>"
    }
    switch verdict.code {
    case Verdict.notKnown: return "<span class=\"tag unknown\">Not known</span>"
    case Verdict.received: return "<span class=\"tag good\">Received</span>"
    default: return "<span class=\"tag good\">Shown</span>"
    }
  }

  fileprivate static let notYet: HTML = "<span class=\"tag wait\">Not yet</span>"

  /// The causes that hold a notification which may still come.
  fileprivate static let waits: Set<String> = Set(
    [DeliveryFacts.Code.waiting, .planned, .waitsForWinner, .paused].map(\.rawValue)
      + [EnrollmentExplanation.Code.pending.rawValue, "not_started"])
}

extension HTML {
  /// A text whose times the viewer reads in their own time zone.
  static func withTimes(_ text: String) -> HTML {
    var (html, rest) = (HTML.empty, text[...])
    for match in text.matches(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) {
      guard let time = Timestamp(iso8601: String(match.0)) else { continue }
      html += "\(rest[..<match.range.lowerBound])\(.timeWithSeconds(time))"
      rest = rest[match.range.upperBound...]
    }
    return html + "\(rest)"
  }
}
