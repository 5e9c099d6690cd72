import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The category of a payload's buttons")
struct CategoryTests {
  static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  static func buttons(_ titles: String...) -> [RichButton] {
    titles.map { RichButton(identifier: "id-\($0)", title: $0) }
  }

  static func category(_ buttons: [RichButton], at date: Date = noon) throws -> ButtonCategory {
    try #require(ButtonCategory(buttons: buttons, at: date))
  }

  @Test("has an identifier with the prefix, the second and the hash of the buttons")
  func name() throws {
    let category = try Self.category(Self.buttons("Buy"))
    #expect(category.identifier.hasPrefix("martlet.buttons.6ab13b80."))
    #expect(CategoryIdentifier(category.identifier) == category.name)
    let later = try Self.category(Self.buttons("Buy"), at: Self.noon + 1)
    #expect(later.identifier != category.identifier)
    #expect(later.name.hasSameButtons(as: category.name))
    #expect(CategoryIdentifier.isOlder(category.name, later.name))
  }

  @Test(
    "a date out of range is clamped",
    arguments: [
      (-1, "00000000"), (0, "00000000"), (4_294_967_295, "ffffffff"), (4_294_967_296, "ffffffff"),
      (Double.infinity, "ffffffff"), (-Double.infinity, "00000000"), (Double.nan, "00000000"),
    ])
  func dates(seconds: Double, digits: String) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let category = try Self.category(Self.buttons("Buy"), at: date)
    #expect(category.identifier.hasPrefix("martlet.buttons.\(digits)."))
  }

  @Test("anything that the system shows makes a different category; a button's URL does not")
  func distinguishes() throws {
    let plain = RichButton(identifier: "a", title: "Buy")
    let changes: [(inout RichButton) -> Void] = [
      { $0.identifier = "b" }, { $0.title = "Sell" }, { $0.isDestructive = true },
      { $0.opensApp = false }, { $0.requiresUnlock = true }, { $0.textInput = .init() },
      { $0.textInput = .init(placeholder: "…") }, { $0.textInput = .init(buttonTitle: "…") },
      { $0.icon = .init(name: "cart", isSystem: true) },
      { $0.icon = .init(name: "cart", isSystem: false) },
    ]
    var identifiers: Set<String> = [try Self.category([plain]).identifier]
    for change in changes {
      var button = plain
      change(&button)
      identifiers.insert(try Self.category([button]).identifier)
    }
    #expect(identifiers.count == changes.count + 1)
    var elsewhere = plain
    elsewhere.url = "https://shop.example/"
    #expect(try Self.category([elsewhere]).identifier == Self.category([plain]).identifier)
  }

  @Test("ten buttons stay, an eleventh is left out", arguments: [9, 10, 11])
  func limit(count: Int) throws {
    let buttons = (0..<count).map { RichButton(identifier: "\($0)", title: "B\($0)") }
    #expect(try Self.category(buttons).buttons == Array(buttons.prefix(10)))
  }

  @Test("a title of 64 characters is kept, one of 65 is truncated to 64 with an ellipsis")
  func titleLength() throws {
    let flag = "🏴󠁧󠁢󠁳󠁣󠁴󠁿"
    let full = String(repeating: flag, count: 64)
    #expect(try Self.category(Self.buttons(full)).buttons.first?.title == full)
    let cut = try Self.category(Self.buttons(full + "x")).buttons.first?.title
    #expect(cut == String(repeating: flag, count: 63) + "…")
  }

  @Test(
    "titles lose control characters and line breaks",
    arguments: [
      ("Buy\u{0}now", "Buy now"), ("  Buy\r\n\tnow \u{7}", "Buy now"),
      ("Buy\u{2028}now", "Buy now"),
      ("Café 👩‍👧 שלום", "Café 👩‍👧 שלום"),
    ])
  func cleaning(title: String, shown: String) throws {
    #expect(try Self.category(Self.buttons(title)).buttons.first?.title == shown)
  }

  @Test(
    "buttons without an identifier, without a visible title or of a known identifier are left out")
  func unusable() throws {
    let good = RichButton(identifier: "a", title: "Buy")
    let bad = [
      RichButton(identifier: "", title: "Buy"), RichButton(identifier: "b", title: " \u{0}\n"),
      RichButton(identifier: "a", title: "Twice"),
    ]
    #expect(try Self.category([good] + bad).buttons == [good])
    #expect(ButtonCategory(buttons: Array(bad.prefix(2)), at: Self.noon) == nil)
    #expect(ButtonCategory(buttons: [], at: Self.noon) == nil)
  }

  @Test(
    "the hash is 128-bit FNV-1a",
    arguments: [
      ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
      ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
    ])
  func vectors(text: String, digits: String) {
    var fingerprint = WordHash(of: [])
    fingerprint.add(text.utf8)
    #expect(fingerprint.hexadecimal == digits)
  }

  @Test("strings are hashed with their length")
  func words() {
    #expect(WordHash(of: ["ab", "c"]) != WordHash(of: ["a", "bc"]))
    #expect(WordHash(of: ["a", ""]) != WordHash(of: ["a"]))
  }
}
