import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The predicted height of a content extension")
struct ContentSettingsTests {
  @Test(
    "is within those of the vendor's cases, before their pictures are known",
    arguments: ContentSettings.allVendors.map(\.id.rawValue))
  func vendor(_ name: String) throws {
    let place = Fixtures.url("templates/\(name)")
    var ratios: [Double] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      let json = try JSONValue(parsing: Data(contentsOf: place.appending(path: file)))
      for payload in (json["cases"]?.array ?? []).compactMap({ $0["payload"] }) {
        guard let template = TemplateTable.standard.read(payload, delivered: 1_795_950_000).template
        else { continue }
        let layout = TemplateLayout(
          template, in: TemplateEnvironment(width: 361, now: 1_795_950_000),
          measuring: EstimatedText())
        ratios.append(layout.ratio)
      }
    }
    let vendor = try #require(ContentSettings.allVendors.first { $0.id.rawValue == name })
    let ratio = ContentSettings(vendors: [vendor]).ratio
    let range = try #require(ratios.min())...(try #require(ratios.max()))
    // The ratio is rounded, and the texts of the cases are shorter than usual ones: by at most four lines.
    let wide = range.lowerBound - 0.005...range.upperBound + 0.25
    #expect(wide.contains(ratio), "\(ratio) \(range)")
  }

  @Test("is that of the layout for each kind, and half of the templates are higher")
  func kinds() throws {
    let all = ContentSettings()
    #expect(all.ratios.map(\.kind) == TemplateKind.allCases)
    #expect(all.ratios.allSatisfy { (0.1...2).contains($0.ratio) })
    let text = try #require(all.ratios.first { $0.kind == .text })
    let carousel = try #require(all.ratios.first { $0.kind == .carousel })
    #expect(text.ratio < carousel.ratio)
    let own = ContentSettings(vendors: ContentSettings.allVendors.filter { $0.id == .dengage })
    #expect(own.ratios.count == 1 && own.ratios.first?.ratio == own.ratio)
    // Two decimals, as a person would write it.
    #expect((all.ratio * 100).rounded() / 100 == all.ratio)
  }

  @Test("every vendor has a category or leaves it to the app")
  func categories() {
    let without = ContentSettings.allVendors.filter(\.categories.isEmpty).map(\.id.rawValue)
    #expect(without == ["airship"])
    let categories = ContentSettings().categories
    #expect(Set(categories).count == categories.count)
    #expect(categories.first == "expanded")
  }
}
