import Markup
import NotificationTemplates
import PushModel

/// The use that people made of a send's expanded notification, as tables.
struct SendTemplate {
  var counts: TemplateCounts
  private let template: NotificationTemplate?

  init(_ counts: TemplateCounts, of send: Send) {
    self.counts = counts
    template =
      TemplateTable.standard.read(
        send.payload, delivered: Double(send.createdAt.milliseconds) / 1000
      ).template
  }

  /// The tables; `nil` if no device has reported anything.
  var html: HTML? {
    guard !counts.isEmpty else { return nil }
    return """
      <h2>Expanded notification</h2>
      \(totals)
      \(pages)
      \(answers)
      """
  }

  private var totals: HTML {
    let all: [(String, Int)] = [
      ("Expanded", counts.viewed), ("Answered", counts.answered), ("Links opened", counts.opened),
      ("Countdown ended", counts.expired), ("Movie or sound played", counts.played),
    ]
    let rows = all.filter { $0.1 > 0 }.map { title, count -> HTML in
      "<tr><th scope=\"row\">\(title)</th><td class=\"number\">\(count)</td></tr>"
    }
    return .table(
      "Expanded notification",
      """
      <table><thead><tr><th scope="col">Devices</th>\
      <th scope="col" class="number">Count</th></tr></thead><tbody>\(rows)</tbody></table>
      """)
  }

  private var pages: HTML? {
    guard !counts.pages.isEmpty else { return nil }
    let rows = counts.pages.sorted { $0.key < $1.key }.map { page, count -> HTML in
      """
      <tr><th scope="row">\(title(ofPage: page))</th><td class="number">\(count.seen)</td>\
      <td class="share">\(.share(count.seen, of: counts.viewed, title(ofPage: page)))</td>\
      <td class="number">\(count.meanDwell.map { "\($0) s" } ?? "–")</td>\
      <td class="number">\(count.opened)</td></tr>
      """
    }
    let table: HTML = """
      <table><thead><tr><th scope="col">Page</th><th scope="col" class="number">Devices that saw it</th>\
      <th scope="col"><span class="hidden">As a bar</span></th>\
      <th scope="col" class="number">Mean time</th><th scope="col" class="number">Link opened</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h3>Pages</h3>\(HTML.table("Pages of the expanded notification", table))"
  }

  private var answers: HTML? {
    guard !counts.values.isEmpty else { return nil }
    var all = counts.valuesByCount.map { (title(ofValue: $0.value), $0.count) }
    if counts.otherValues > 0 { all.append(("Other answers", counts.otherValues)) }
    let sum = all.reduce(0) { $0 + $1.1 }
    let rows = all.map { title, count -> HTML in
      """
      <tr><th scope="row">\(title)</th><td class="number">\(count)</td>\
      <td class="share">\(.share(count, of: sum, title))</td></tr>
      """
    }
    let table: HTML = """
      <table><thead><tr><th scope="col">Answer</th><th scope="col" class="number">Devices</th>\
      <th scope="col"><span class="hidden">As a bar</span></th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h3>Answers</h3>\(HTML.table("Answers in the expanded notification", table))"
  }

  /// The number of a page, from 1, with the title that the payload gives it.
  private func title(ofPage page: Int) -> String {
    let pages = template?.pages ?? []
    let title = pages.indices.contains(page) ? pages[page].title?.string : nil
    return ["Page \(page + 1)", title].compactMap(\.self).joined(separator: ": ")
  }

  /// A choice's title, or the number of stars, or else the value itself.
  private func title(ofValue value: String) -> String {
    switch template?.content {
    case .poll(let poll): poll.choices.first { $0.id == value }?.title.string ?? value
    case .rating: Int(value).map { $0 == 1 ? "1 star" : "\($0) stars" } ?? value
    default: value
    }
  }
}
