import NotificationTemplates
import PushPayload

/// The settings of a content extension: the categories of the vendors in use, and its initial height.
struct ContentSettings: Sendable {
  /// The vendors on the command line; empty means all.
  var vendors: [TemplateAdapter] = []
  /// The app's own categories.
  var ownCategories: [String] = []
  /// The content extensions that the app already has.
  var others: [PresentExtension] = []

  /// The vendors whose templates are read.
  static let allVendors = TemplateTable.standard.adapters.filter { $0.id != .martlet }

  /// The categories with their senders, each once: first Martlet's own, then those of the vendors and the app.
  ///
  /// iOS starts only one extension for a category, so categories of the app's other extensions are omitted.
  var senders: [(category: String, sender: String)] {
    let vendors = self.vendors.isEmpty ? Self.allVendors : self.vendors
    let all =
      [(TemplateAdapter.ownCategory, "Martlet")]
      + vendors.flatMap { vendor in vendor.categories.map { ($0, vendor.id.rawValue) } }
      + ownCategories.map { ($0, "the app") }
    var seen = Set(others.flatMap(\.categories))
    return all.filter { seen.insert($0.0).inserted }
  }

  var categories: [String] { senders.map(\.category) }

  /// The categories on the command line that another content extension of the app already has.
  var conflicts: [(category: String, owner: String)] {
    let named = Set(vendors.flatMap(\.categories) + ownCategories)
    return others.flatMap { other in
      other.categories.filter(named.contains).map { ($0, other.name) }
    }
  }

  /// The vendors' templates, including Martlet's own if no vendor is named.
  private var templates: [NotificationTemplate] {
    let adapters = vendors.isEmpty ? TemplateTable.standard.adapters : vendors
    return adapters.flatMap(\.typicalTemplates)
  }

  /// The usual ratio of height to width for each kind, in the order of the documentation.
  var ratios: [(kind: TemplateKind, ratio: Double)] {
    let ratios = Dictionary(grouping: templates, by: \.kind).mapValues { templates in
      Self.median(templates.map(Self.ratio))
    }
    return TemplateKind.allCases.compactMap { kind in ratios[kind].map { (kind, $0) } }
  }

  /// The initial ratio of the view's height to its width, which is the median of the templates.
  var ratio: Double { Self.median(templates.map(Self.ratio)) }

  /// The ratio of a template on an iPhone at the default text size.
  private static func ratio(_ template: NotificationTemplate) -> Double {
    let layout = TemplateLayout(
      template, in: TemplateEnvironment(width: 361, now: 0), measuring: EstimatedText())
    return (layout.ratio * 100).rounded() / 100
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 1 : sorted[(sorted.count - 1) / 2]
  }
}
