import NotificationTemplates
import PushPayload

extension LintRules {
  /// Rules about templates of expanded notifications; see docs/app/templates.md.
  static let templates: [LintRule] = [
    LintRule(
      "M811", .warning, summary: "a template has a value that is not read",
      why: """
        The value has a wrong type or is out of range. The content extension leaves it out and shows the rest: a page \
        less, no link, another color.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "rating", "commit": "submit", "scale": 11}}}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "rating", "commit": "submit", "scale": 10}}}"#,
      fix: "give it the type and range that the finding names"
    ) { subject in
      subject.template.findings.filter { !named.contains($0.code) }
        .map { LintFinding($0.path, $0.message) }
    },
    LintRule(
      "M812", .warning, summary: "a template is shown as a simpler kind",
      why: """
        The template has less than its kind needs, such as one page of a carousel or a rating without links. The \
        expanded notification shows a picture, or the texts alone.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "carousel", "pages": [{"media": {"url": "https://example.com/a.jpg"}}]}}}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "carousel", "pages": [{"media": {"url": "https://example.com/a.jpg"}}, {"media": {"url": "https://example.com/b.jpg"}}]}}}"#,
      fix: "add what the finding names, or choose the simpler kind"
    ) { subject in subject.templateFindings(.degraded) },
    LintRule(
      "M813", .warning, summary: "a template or one of its words is not known",
      why: "The name is misspelt, or of a template that only the vendor's Android library has.",
      bad:
        #"{"aps": {"alert": "Tea", "category": "CTNotification", "mutable-content": 1}, "pt_id": "pt_carrousel", "pt_title": "Tea"}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "CTNotification", "mutable-content": 1}, "pt_id": "pt_basic", "pt_title": "Tea"}"#,
      fix: "write a name of docs/app/templates.md"
    ) { subject in subject.templateFindings(.unknownName) },
    LintRule(
      "M814", .warning, summary: "the category is not that of the content extension",
      why: """
        iOS starts a content extension by the category of the notification. With another one the template is not \
        shown, whatever the payload has besides.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "tea", "mutable-content": 1}, "pt_id": "pt_basic", "pt_title": "Tea"}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "CTNotification", "mutable-content": 1}, "pt_id": "pt_basic", "pt_title": "Tea"}"#,
      fix: "set aps.category to that of the content extension"
    ) { subject in subject.hasCategory ? subject.templateFindings(.wrongCategory) : [] },
    LintRule(
      "M815", .warning, summary: "a template with pictures has no mutable-content",
      why: """
        The content extension fetches nothing. Without mutable-content the service extension does not run, and no \
        picture is there when the notification is expanded.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "expanded"}, "_martlet": {"template": {"kind": "banner", "media": {"url": "https://example.com/a.jpg"}}}}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "banner", "media": {"url": "https://example.com/a.jpg"}}}}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard let template = subject.template.template, !template.media.isEmpty, !subject.isMutable
      else { return [] }
      return [
        LintFinding("$.aps", "needs \"mutable-content\": 1 for the pictures of the template")
      ]
    },
    LintRule(
      "M816", .warning, summary: "a link of a template cannot be opened",
      why: """
        The link is not a URL with a scheme, so the system does not open it. A tap opens the app as if there were no link.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "banner", "link": "example.com/tea", "media": {"url": "https://example.com/a.jpg"}}}}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "banner", "link": "https://example.com/tea", "media": {"url": "https://example.com/a.jpg"}}}}"#,
      fix: "write the scheme: https://, or the app's own"
    ) { subject in
      guard let template = subject.template.template else { return [] }
      return template.links.filter { !hasScheme($0) }.map { link in
        LintFinding("$", "has a template with the link \"\(link.prefix(80))\", which has no scheme")
      }
    },
    LintRule(
      "M817", .note, summary: "a text of a template is likely cut off",
      why: """
        The place of the text has a number of lines at the usual text sizes, and the text needs more of them. It is \
        estimated for letters of half their height, on a phone of 393 points.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "banner", "media": {"url": "https://example.com/a.jpg"}, "texts": {"title": "All the teas of the autumn, from the mountains of the north to the islands of the south, and every one of them for half of what it was in spring"}}}}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "expanded", "mutable-content": 1}, "_martlet": {"template": {"kind": "banner", "media": {"url": "https://example.com/a.jpg"}, "texts": {"title": "All the teas of the autumn"}}}}"#,
      fix: "shorten it"
    ) { subject in
      guard let template = subject.template.template else { return [] }
      let layout = TemplateLayout(
        template, in: TemplateEnvironment(width: 361, now: Double(subject.now ?? 0)),
        measuring: EstimatedText())
      let cut = layout.elements.compactMap { element -> String? in
        guard case .text(let label) = element.content, let lines = label.lines,
          EstimatedText.lines(of: label.text.string, label.font, width: element.frame.width) > lines
        else { return nil }
        return "has a text of \(label.text.string.count) characters where \(lines) lines are: "
          + "\"\(label.text.string.prefix(40))…\""
      }
      return Set(cut).sorted().map { LintFinding("$", $0) }
    },
    LintRule(
      "M818", .note, summary: "a template has no category",
      why: """
        iOS starts a content extension by the category of the notification. Vendors' servers set it where their \
        documentation leaves it out; a payload that is sent without one shows no template.
        """,
      bad:
        #"{"aps": {"alert": "Tea", "mutable-content": 1}, "pt_id": "pt_basic", "pt_title": "Tea"}"#,
      good:
        #"{"aps": {"alert": "Tea", "category": "CTNotification", "mutable-content": 1}, "pt_id": "pt_basic", "pt_title": "Tea"}"#,
      fix: "set aps.category to that of the content extension"
    ) { subject in subject.hasCategory ? [] : subject.templateFindings(.wrongCategory) },
  ]

  /// The problems that have their own rule.
  private static let named: Set<PayloadFinding.Code> = [.degraded, .unknownName, .wrongCategory]

  /// Whether a link begins with a scheme (RFC 3986, section 3.1).
  private static func hasScheme(_ link: String) -> Bool {
    guard let colon = link.firstIndex(of: ":"), let first = link.first else { return false }
    return first.isASCII && first.isLetter
      && link[..<colon].utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

extension LintSubject {
  fileprivate var hasCategory: Bool { aps?["category"]?.string?.isEmpty == false }

  fileprivate func templateFindings(_ code: PayloadFinding.Code) -> [LintFinding] {
    template.findings.filter { $0.code == code }.map { LintFinding($0.path, $0.message) }
  }
}

extension NotificationTemplate {
  /// All links that a tap or a button opens.
  fileprivate var links: [String] {
    var links = [link] + pages.map(\.link) + actions.map(\.link)
    switch content {
    case .banner(let banner): links.append(banner.button?.link)
    case .catalog(let catalog): links.append(catalog.button?.link)
    case .rating(let rating): links += rating.links + [rating.submitLink]
    default: break
    }
    return Set(links.compactMap(\.self)).sorted()
  }
}
