import NotificationCards
import NotificationTemplates
import Testing

@testable import _Card

@Suite("Card: looks", .timeLimit(.minutes(10)))
struct CardLookTests {
  @Test(
    "without a title a notification shows the app's name in its place, and otherwise no line for it",
    arguments: [.collapsed, .banner, .lockScreen, .expanded] as [NotificationCard.View])
  func appName(_ view: NotificationCard.View) throws {
    func pixels(_ card: NotificationCard) throws -> Pixels {
      try Pixels(png: CardRenderer(CardStyle(scale: 1)).png(card, [view]))
    }
    let file = try redAndBlue()
    var untitled = NotificationCard(appName: "App", icon: .png(file.path), body: "Body")
    var named = untitled
    named.title = "App"
    #expect(try pixels(untitled).difference(from: pixels(named)) == 0)
    let first = try pixels(named)
    named.appName = "Another name"
    #expect(try pixels(named).difference(from: first) == 0)
    untitled.appName = "Another name"
    #expect(try pixels(untitled).difference(from: first) > 0)
  }

  @Test(
    "a time-sensitive notification has a line more, in every look",
    arguments: [.collapsed, .banner, .expanded] as [NotificationCard.View],
    [CardStyle.Look.iOS18, .iOS26])
  func timeSensitive(_ view: NotificationCard.View, _ look: CardStyle.Look) throws {
    func height(_ card: NotificationCard) throws -> Int {
      try Pixels(png: CardRenderer(CardStyle(scale: 1, look: look)).png(card, [view])).height
    }
    var card = Sample.image
    card.attachments = []
    let before = try height(card)
    card.isTimeSensitive = true
    #expect(try (12...18).contains(height(card) - before))
  }

  @Test("through glass more of the wallpaper is seen than through the material of iOS 18")
  func looks() throws {
    func spread(_ look: CardStyle.Look) throws -> Int {
      let picture = try Pixels(
        png: CardRenderer(CardStyle(scale: 1, look: look)).png(Sample.broken, [.expanded]))
      // The left and the right end of the platter, where there is no text.
      let y = picture.height - 24
      return picture[24, y].distance(to: picture[370, y])
    }
    #expect(try spread(.iOS26) > spread(.iOS18))
  }

  @Test("the lock screen has the clock above and the notification at its bottom")
  func lockScreen() throws {
    for look in [CardStyle.Look.iOS18, .iOS26] {
      let renderer = CardRenderer(CardStyle(scale: 1, look: look))
      let locked = try Pixels(png: renderer.png(Sample.audio, [.lockScreen]))
      let listed = try Pixels(png: renderer.png(Sample.audio, [.collapsed]))
      #expect(locked.height > listed.height + 250)
      // The digits are lighter than the wallpaper around them.
      let digits = (60..<190).flatMap { y in (100..<290).map { locked[$0, y].lightness } }
      #expect((digits.max() ?? 0) - (digits.min() ?? 0) > 40)
    }
    // A long notification makes it higher.
    var long = Sample.broken
    long.body = (1...4).map { "Line \($0)" }.joined(separator: "\n")
    let style = CardStyle(scale: 1, textSize: .accessibility5)
    let high = try Pixels(png: CardRenderer(style).png(long, [.lockScreen]))
    #expect(high.height > 480)
  }

  @Test("a look is found by its name alone", arguments: CardStyle.Look.names)
  func lookNames(name: String) {
    #expect(CardStyle.Look(name)?.raw.rawValue == name)
    #expect(CardStyle.Look(name.uppercased()) == nil && CardStyle.Look("") == nil)
  }
}
