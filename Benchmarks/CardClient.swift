import NotificationCards
import Foundation
import NotificationTemplates
import PushPayload
import _Card

/// The process `card FOLDER`: draws the composer's preview of a carousel of five pages with the pictures of a folder, as it is
/// drawn after each letter of the title, and prints the median and the 99th percentile in milliseconds.
func cardClient(_ arguments: [String]) throws {
  let files = ["photo.jpg", "picture.png", "cloudy.gif"].map { arguments[0] + "/" + $0 }
  let pages = (0..<5).map { number -> JSONValue in
    let url = "https://shop.example/\(number).jpg"
    return [
      "media": ["id": .string("\(number)"), "url": .string(url)],
      "title": "A page of the carousel", "body": "With a line of text below its title",
    ]
  }
  let renderer = CardRenderer(CardStyle(scale: 1))
  var times: [Double] = []
  for number in 0..<310 {
    let title = String("A title that a person is writing ".prefix(number % 33 + 1))
    let payload: JSONValue = [
      "aps": ["alert": ["title": .string(title), "body": "New coats"], "category": "shop"],
      "_martlet": ["template": ["kind": "carousel", "layout": "peek", "pages": .array(pages)]],
    ]
    let start = ContinuousClock.now
    var card = NotificationCard(appName: "Shop", title: title, body: "New coats")
    card.attachments = [.init(path: files[0], kind: .image)]
    guard let template = TemplateTable.standard.read(payload, delivered: 0).template else { return }
    let shown = template.media.enumerated().map { ($1.id, files[$0 % files.count]) }
    card.template = ExpandedTemplate(
      template, files: Dictionary(shown) { first, _ in first }, now: 0)
    _ = try renderer.jpeg(card, [.banner, .collapsed, .expandedInColumn])
    // The first ones find empty caches.
    if number >= 10 { times.append((.now - start) / .milliseconds(1)) }
  }
  times.sort()
  print("\(times[times.count / 2]) \(times[times.count * 99 / 100])")
}
