import NotificationCards
import NotificationTemplates
import PushPayload
import Testing

@testable import _Card

/// A template of each kind, in English and in Arabic, with drawn pictures.
struct TemplateSample {
  /// The time at which all are shown.
  static let now = 1_795_950_000.0

  var kind: TemplateKind
  var isArabic: Bool
  /// The paths of three pictures: wide, high and square.
  var pictures: [String]

  /// The card with the template.
  func card() throws -> NotificationCard {
    let payload: JSONValue = [
      "aps": ["category": "expanded"],
      "_martlet": ["template": .object(members.merging(["kind": .string(kind.rawValue)]) { $1 })],
    ]
    let reading = TemplateTable.standard.read(payload, delivered: Self.now)
    let template = try #require(reading.template)
    #expect(reading.findings.isEmpty && template.kind == kind, "\(reading.findings)")
    let files = template.media.enumerated().map { number, media in
      (media.id, media.kind == .video ? "film" : pictures[number % pictures.count])
    }
    var card = NotificationCard(
      appName: isArabic ? "متجر" : "Harbor", time: isArabic ? "الآن" : "now")
    var expanded = ExpandedTemplate(
      template, files: Dictionary(files) { first, _ in first }, buttons: buttons, now: Self.now)
    expanded.showsWebPages = true
    if kind == .media { expanded.posters = ["film": pictures[0]] }
    card.template = expanded
    return card
  }

  private var buttons: [ExpandedTemplate.Button] {
    kind == .input ? [.init(id: "reply", title: isArabic ? "رد" : "Reply")] : []
  }

  private func word(_ english: String, _ arabic: String) -> JSONValue {
    .string(isArabic ? arabic : english)
  }

  private func picture(_ number: Int, _ members: [String: JSONValue] = [:]) -> JSONValue {
    .object(
      members.merging([
        "id": .string("p\(number)"), "url": .string("https://a.example/\(number).jpg"),
      ]) {
        own, _ in own
      })
  }

  private var texts: JSONValue {
    [
      "title": word("The autumn collection is here", "مجموعة الخريف وصلت"),
      "subtitle": word("Wool, from our own mill", "صوف من مصنعنا"),
      "body": word(
        "Coats, hats and gloves for the <b>first cold days</b>, with <s>free</s> <i>next-day</i> delivery until Sunday.",
        "معاطف وقبعات وقفازات <b>للأيام الباردة الأولى</b>، مع توصيل مجاني حتى يوم الأحد."),
    ]
  }

  private var members: [String: JSONValue] {
    switch kind {
    case .text: ["texts": texts, "format": "html"]
    case .banner:
      [
        "texts": texts, "format": "html", "media": picture(0),
        "details": [
          ["text": word("From 49 €", "ابتداءً من ٤٩ €"), "light": "#B00020", "dark": "#FF8A80"]
        ],
        "button": [
          "title": word("See the collection", "عرض المجموعة"),
          "gradient": ["from": "#5B3FD6", "to": "#B0338A", "degrees": 0, "shape": "linear"],
          "corner": 22,
        ],
      ]
    case .carousel:
      [
        "texts": texts, "format": "html", "layout": "peek", "peek": 0.8, "aspect": 0.6,
        "spacing": 8,
        "pages": [
          [
            "media": picture(0, ["corner": 12]), "title": word("Harbor coat", "معطف الميناء"),
            "body": word("Waterproof, with a warm lining", "مقاوم للماء ببطانة دافئة"),
          ],
          [
            "media": picture(1, ["corner": 12, "fit": "fit"]),
            "title": word("Fisherman's hat", "قبعة الصياد"),
          ],
          ["media": picture(2, ["corner": 12]), "title": word("Gloves", "قفازات")],
        ],
      ]
    case .timer:
      [
        "texts": texts, "format": "html", "media": picture(0), "end": 1_795_991_861,
        "box": [
          "text": ["light": "#FFFFFF"], "background": ["light": "#B00020", "dark": "#FF8A80"],
          "corner": 8,
        ],
      ]
    case .rating:
      [
        "texts": ["title": word("How was your stay?", "كيف كانت إقامتك؟")], "media": picture(0),
        "commit": "submit", "scale": 5,
        "details": [["text": word("It takes one tap.", "بنقرة واحدة.")]],
      ]
    case .catalog:
      [
        "texts": texts, "format": "html", "layout": "row",
        "pages": [
          [
            "media": picture(0), "title": word("Harbor coat", "معطف الميناء"),
            "body": word("Waterproof", "مقاوم للماء"), "price": word("129 €", "١٢٩ €"),
          ],
          ["media": picture(1), "title": word("Hat", "قبعة"), "price": word("29 €", "٢٩ €")],
          ["media": picture(2), "title": word("Gloves", "قفازات"), "price": word("19 €", "١٩ €")],
        ],
        "button": ["title": word("Buy now", "اشترِ الآن")],
      ]
    case .icons:
      [
        "texts": ["title": word("Where to next?", "إلى أين؟")],
        "pages": [
          ["media": picture(0, ["corner": 16]), "title": word("Sea", "البحر")],
          ["media": picture(1, ["corner": 16]), "title": word("Mountains", "الجبال")],
          ["media": picture(2, ["corner": 16]), "title": word("City breaks", "المدن")],
          ["media": picture(3, ["corner": 16]), "title": word("Lakes", "البحيرات")],
        ],
      ]
    case .actions:
      [
        "texts": texts, "format": "html", "media": picture(0),
        "actions": [
          ["id": "a", "title": word("Add to calendar", "أضف إلى التقويم"), "effect": "open"],
          ["id": "b", "title": word("Not now", "ليس الآن"), "effect": "dismiss"],
        ],
      ]
    case .media:
      [
        "texts": texts, "format": "html",
        "media": ["id": "film", "url": "https://a.example/film.mp4", "alt": "Film"],
      ]
    case .web:
      ["texts": texts, "format": "html", "url": "https://shop.example/autumn?x=1", "aspect": 0.7]
    case .input:
      [
        "texts": texts, "format": "html", "media": picture(0),
        "prompt": word("What should we knit next?", "ماذا نحيك بعد ذلك؟"),
        "feedback": ["texts": ["title": word("Thank you", "شكراً لك")]],
      ]
    case .poll:
      [
        "texts": texts, "format": "html", "prompt": word("Which one first?", "أيها أولاً؟"),
        "choices": [
          ["id": "1", "title": word("The coat", "المعطف")],
          ["id": "2", "title": word("The hat", "القبعة")],
          ["id": "3", "title": word("All of it, please, and soon", "كلها من فضلك وقريباً")],
        ],
        "feedback": ["texts": ["title": word("Thank you", "شكراً لك")]],
      ]
    }
  }
}
