import NotificationCards
import Foundation
import NotificationTemplates
import PushPayload
import Testing

@testable import _Card

@Suite("Card: templates", .timeLimit(.minutes(20)))
struct TemplateDrawingTests {
  @Test("every text is drawn as high as it is measured", arguments: TemplateSetting.all)
  func measured(setting: TemplateSetting) {
    FontLock.withLock {
      let painter = setting.painter
      for (name, template) in TemplateFixtures.all {
        let expanded = TemplateFixtures.ready(template)
        for face in expanded.faces {
          let layout = layout(of: expanded, face, painter)
          for element in layout.elements {
            switch element.content {
            case .text(let label) where label.font.hasEvenDigits:
              // The countdown stands in its box.
              let lines = painter.lines(of: label, width: element.frame.width)
              #expect(lines.height <= element.frame.height, "\(name)")
            case .text(let label):
              let lines = painter.lines(of: label, width: element.frame.width)
              #expect(0..<1 ~= element.frame.height - lines.height, "\(name): \(label.text.string)")
              #expect(lines.lineCount <= label.lines ?? .max)
            case .button(let label, _):
              let title = CardPainter.titleRect(
                ofButton: Rect(x: 0, y: 0, width: element.frame.width, height: 0))
              let lines = painter.lines(of: label, width: title.width)
              #expect(lines.height <= element.frame.height, "\(name): \(label.text.string)")
            default: break
            }
          }
        }
      }
    }
  }

  @Test(
    "the ratio predicted from the heads of the pictures is that of the drawn view",
    arguments: TemplateSetting.all)
  func predicted(setting: TemplateSetting) throws {
    // From `file Tests/Fixtures/media/*`.
    let sizes = ["photo.jpg": (960, 640), "picture.png": (960, 640), "cloudy.gif": (480, 320)]
    let card = NotificationCard(appName: "App")
    #expect(TemplateFixtures.all.count > 90)
    for (name, template) in TemplateFixtures.all {
      let expanded = TemplateFixtures.ready(template)
      var environment = TemplateEnvironment(
        width: setting.style.width - 20, now: TemplateFixtures.delivered)
      environment.textSize = setting.textSize
      environment.isRightToLeft = setting.isRightToLeft
      environment.language = setting.isRightToLeft ? "ar" : "en"
      for media in template.media where media.kind != .video {
        let file = URL(fileURLWithPath: expanded.files[media.id] ?? "").lastPathComponent
        let size = try #require(sizes[file])
        environment.pictureSizes[media.id] = TemplateSize(
          width: Double(size.0), height: Double(size.1))
      }
      let predicted = TemplateLayout(template, in: environment, measuring: PangoTextMeasurer())
      #expect(expanded.layout(setting.style) == predicted, "\(name)")
      try FontLock.withLock {
        let painter = setting.painter
        let platter = try #require(painter.expanded(card, expanded).first?.first)
        let drawn = (platter.height - painter.header(card).height) / painter.width
        #expect(abs(drawn - predicted.ratio) < 0.000_001, "\(name)")
      }
    }
  }

  @Test("all faces of one template are as high, except for those of products and of time")
  func faces() {
    let counts: [TemplateKind: Set<Int>] = [
      .text: [1], .banner: [1], .timer: [1, 2], .rating: [1], .icons: [1], .actions: [1],
      .media: [1], .web: [1], .input: [1, 2], .poll: [1, 2],
    ]
    FontLock.withLock {
      let painter = TemplateSetting.all[0].painter
      for (name, template) in TemplateFixtures.all {
        let expanded = TemplateFixtures.ready(template)
        let faces = expanded.faces
        if let counts = counts[template.kind] {
          #expect(counts.contains(faces.count), "\(name)")
        } else {
          #expect(faces.map(\.state.page) == Array(template.pages.indices), "\(name)")
        }
        guard template.kind == .carousel else { continue }
        #expect(Set(faces.map { layout(of: expanded, $0, painter).size.height }).count == 1)
      }
    }
  }

  @Test("a template travels to the process that draws without a change")
  func coding() throws {
    for (name, template) in TemplateFixtures.all {
      var ready = [TemplateFixtures.ready(template)]
      // As it is with one medium, and with none.
      for count in [0, 1] {
        let kept = Set(template.media.prefix(count).map(\.id))
        let part = template.keeping { kept.contains($0.id) }
        ready.append(ExpandedTemplate(part, now: TemplateFixtures.delivered))
      }
      for expanded in ready {
        let copy = try JSONDecoder().decode(
          ExpandedTemplate.self, from: JSONEncoder().encode(expanded))
        #expect(copy.template.json == expanded.template.json, "\(name)")
        #expect(copy.files == expanded.files && copy.now == expanded.now)
        #expect(copy.layout() == expanded.layout(), "\(name)")
      }
    }
  }

  @Test("what is no template cannot be decoded")
  func undecodable() throws {
    let data = try JSONEncoder().encode(
      TemplateFixtures.ready(try #require(TemplateFixtures.all.first).template))
    let text = String(decoding: data, as: UTF8.self)
    for wrong in ["[", "text", #"{\"version\":2,\"kind\":\"text\"}"#] {
      let changed = text.replacing(
        /"document":"(?:[^"\\]|\\.)*"/, with: "\"document\":\"\(wrong)\"")
      #expect(changed != text)
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(ExpandedTemplate.self, from: Data(changed.utf8))
      }
    }
  }

  private func layout(
    of expanded: ExpandedTemplate, _ face: ExpandedTemplate.Face, _ painter: CardPainter
  ) -> TemplateLayout {
    let environment = expanded.environment(
      painter.style, now: face.now, sizeOfPicture: painter.pixelSize(ofPicture:))
    return TemplateLayout(
      expanded.template, state: face.state, in: environment,
      measuring: LabelMeasurer(type: painter.labels))
  }
}
