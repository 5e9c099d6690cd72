import NotificationTemplates
import PushPayload

/// What a content extension shows: the categories of the vendors in use, and how high it begins.
struct ContentSettings: Sendable {
  /// The vendors that the command line names; empty for all.
  var vendors: [TemplateAdapter] = []
  /// The app's own categories.
  var ownCategories: [String] = []
  /// The content extensions that the app has already.
  var others: [PresentExtension] = []

  /// The vendors whose templates are read.
  static let allVendors = TemplateTable.standard.adapters.filter { $0.id != .martlet }

  /// The categories with their senders, each once: Martlet's own, those of the vendors, those of the app.
  ///
  /// iOS starts one extension for a category, so that those of the app's other extensions are left to them.
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

  /// The categories that the command line names, and that another content extension of the app has.
  var conflicts: [(category: String, owner: String)] {
    let named = Set(vendors.flatMap(\.categories) + ownCategories)
    return others.flatMap { other in
      other.categories.filter(named.contains).map { ($0, other.name) }
    }
  }

  /// The vendors' templates, Martlet's own where no vendor is named.
  private var templates: [NotificationTemplate] {
    let adapters = vendors.isEmpty ? TemplateTable.standard.adapters : vendors
    return adapters.flatMap(\.typicalTemplates)
  }

  /// The usual height divided by the width for each kind, in the order of the documentation.
  var ratios: [(kind: TemplateKind, ratio: Double)] {
    let ratios = Dictionary(grouping: templates, by: \.kind).mapValues { templates in
      Self.median(templates.map(Self.ratio))
    }
    return TemplateKind.allCases.compactMap { kind in ratios[kind].map { (kind, $0) } }
  }

  /// The height divided by the width with which the view begins: half of the templates are higher.
  var ratio: Double { Self.median(templates.map(Self.ratio)) }

  /// The ratio of a template on an iPhone at the usual text size.
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
