import Markup
import Testing

@testable import PushServer

@Suite("Numbers on pages")
struct NumbersTests {
  @Test(
    "a count has separators from a thousand on, and its value for the script",
    arguments: [
      (0, "0"), (999, "999"), (1000, "<data value=\"1000\">1,000</data>"),
      (12_345, "<data value=\"12345\">12,345</data>"),
      (1_234_567, "<data value=\"1234567\">1,234,567</data>"),
      (-1000, "<data value=\"-1000\">−1,000</data>"),
    ])
  func counts(_ count: Int, _ markup: String) { #expect(HTML.count(count).markup == markup) }

  @Test("every count from 1 to a million and its neighbours keeps its digits")
  func digits() {
    for power in [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] {
      for count in [power - 1, power, power + 1] {
        let text = HTML.grouped(count)
        #expect(text.replacing(",", with: "") == "\(count)")
        let groups: [Substring] = text.split(separator: ",")
        #expect(groups.dropFirst().allSatisfy { $0.count == 3 })
      }
    }
  }

  @Test(
    "a change is against what was before, and there is none against nothing",
    arguments: [
      (10, 0, nil), (0, 0, nil), (5, 5, "as before"), (15, 10, "+50.0 % from 10"),
      (5, 10, "−50.0 % from 10"), (0, 10, "−100.0 % from 10"), (1001, 1000, "+0.1 % from 1,000"),
    ] as [(Int, Int, String?)])
  func changes(_ now: Int, _ before: Int, _ words: String?) {
    let html = Change(now: now, before: before).html?.markup.withPlainNumbers
    if let words { #expect(html?.contains(words) == true) } else { #expect(html == nil) }
  }

  @Test(
    "conversions are those of the most frequent event, with the number of the others",
    arguments: [
      ([:], 0, nil), (["a": 2], 2, "“a”<"), (["a": 2, "b": 3], 3, "“b”, and 1 more event<"),
      (["b": 3, "a": 3, "c": 1], 3, "“a”, and 2 more events<"),
    ] as [([String: Int], Int, String?)])
  func conversions(_ events: [String: Int], _ count: Int, _ words: String?) {
    let found = Funnel.words(events)
    #expect(found.count == count)
    #expect(words.map { found.note?.markup.contains($0) == true } ?? (found.note == nil))
  }

  @Test("every event of a webhook has words")
  func events() {
    let known = WebhookEvent.groups.flatMap(\.events)
    #expect(known.map(\.name).sorted() == WebhookEvent.all.sorted())
    #expect(Set(known.map(\.words)).count == known.count)
    #expect(WebhookEvent.words("later.event") == "later.event")
  }
}
