import NotificationCards
import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

@testable import _Card

/// The templates of all cases in `Tests/Fixtures/templates`, with a picture for each medium.
enum TemplateFixtures {
  static let delivered = 1_795_950_000.0

  /// The templates with the names of their files.
  static let all: [(name: String, template: NotificationTemplate)] = {
    let folder = Fixtures.url("templates")
    let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String }
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted().flatMap { file in
      let data = (try? Data(contentsOf: folder.appending(path: file))) ?? Data()
      let cases = (try? JSONValue(parsing: data))?["cases"]?.array ?? []
      return cases.compactMap { $0["payload"] }
        .compactMap { TemplateTable.standard.read($0, delivered: delivered).template }
        .map { (String(file.dropLast(5)), $0) }
    }
  }()

  /// A photo, a drawing and an animation, one after the other.
  static let pictures = ["photo.jpg", "picture.png", "cloudy.gif"]

  /// The template with all media ready.
  static func ready(_ template: NotificationTemplate) -> ExpandedTemplate {
    let files = template.media.enumerated().map { number, item in
      (item.id, media(pictures[number % pictures.count]))
    }
    return ExpandedTemplate(
      template, files: Dictionary(files) { first, _ in first }, now: delivered)
  }
}

/// A style of a template, as a test's argument.
struct TemplateSetting: CustomTestStringConvertible, Sendable {
  var textSize: TemplateTextSize
  var isRightToLeft: Bool

  var testDescription: String { "\(textSize.rawValue)\(isRightToLeft ? " right to left" : "")" }
  var style: CardStyle {
    CardStyle(scale: 1, textSize: textSize, isRightToLeft: isRightToLeft)
  }
  var painter: CardPainter {
    CardPainter(style, width: style.width - 2 * CardStyle.margin, PictureCache())
  }

  static let all: [TemplateSetting] = [.xSmall, .large, .xxxLarge, .accessibility5]
    .flatMap { size in
      [false, true].map { TemplateSetting(textSize: size, isRightToLeft: $0) }
    }
}
