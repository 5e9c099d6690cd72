import Markup
import NotificationCards

/// The release of iOS and the place that a form chooses for the picture of its notification.
struct CardChoice: Sendable {
  /// The place where the notification shows, by the value in the form.
  private enum Place: String, CaseIterable {
    case bannerAndList = ""
    case banner
    case list
    case lockScreen = "lock-screen"

    var title: String {
      switch self {
      case .bannerAndList: "Banner and list"
      case .banner: "Banner"
      case .list: "List"
      case .lockScreen: "Lock screen"
      }
    }

    var views: [NotificationCard.View] {
      switch self {
      case .bannerAndList: [.banner, .collapsed]
      case .banner: [.banner]
      case .list: [.collapsed]
      case .lockScreen: [.lockScreen]
      }
    }

    /// The views from top to bottom, in words.
    var words: [String] {
      switch self {
      case .bannerAndList: ["the banner", "the list"]
      case .banner: ["the banner"]
      case .list: ["the list"]
      case .lockScreen: ["the lock screen"]
      }
    }
  }

  /// The names of the fields.
  static let fields = ["look", "place"]
  private static let looks: [(title: String, look: CardStyle.Look)] = [
    ("iOS 26", .iOS26), ("iOS 18", .iOS18),
  ]

  let look: CardStyle.Look
  private let place: Place
  /// Whether the form has both fields, so that the choice stored in the browser does not apply.
  private let isOfForm: Bool

  /// Reads the choice of a form; an unknown or absent value means the first option.
  init(_ form: Form) {
    look = form["look"].flatMap { CardStyle.Look($0) } ?? .iOS26
    place = form["place"].flatMap(Place.init(rawValue:)) ?? .bannerAndList
    isOfForm = Self.fields.allSatisfy { !form.all($0).isEmpty }
  }

  /// The views of a card, from top to bottom; a template has its fallback below.
  func views(of card: NotificationCard) -> [NotificationCard.View] {
    place.views + [.expandedInColumn] + (card.template == nil ? [] : [.expandedWithoutTemplate])
  }

  /// A sentence that describes the picture.
  func caption(hasTemplate: Bool) -> String {
    guard hasTemplate else {
      let places = place.words.joined(separator: ", ")
      return "From top to bottom: \(places) and the expanded notification."
    }
    let fallback = "the fallback that phones without the content extension show"
    let parts = place.words + ["the expanded notification with its template"]
    return "From top to bottom: \(parts.joined(separator: ", ")), and \(fallback)."
  }

  /// The two menus; `owner` is the `id` of their form, if the form does not enclose them.
  func menus(of owner: String? = nil) -> HTML {
    let looks = Self.looks.map {
      option($0.title, value: $0.look.raw.rawValue, isSelected: look == $0.look)
    }
    let places = Place.allCases.map {
      option($0.title, value: $0.rawValue, isSelected: place == $0)
    }
    let attributes: HTML =
      "\(owner.map { " form=\"\($0)\"" as HTML })\(" data-chosen", if: isOfForm)"
    return """
      <div><label for="look">Likeness of</label>\
      <select id="look" name="look"\(attributes)>\(looks)</select></div>
      <div><label for="place">Where it shows</label>\
      <select id="place" name="place"\(attributes)>\(places)</select></div>
      """
  }

  private func option(_ title: String, value: String, isSelected: Bool) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: isSelected)>\(title)</option>"
  }
}
