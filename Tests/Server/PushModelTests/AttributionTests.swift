import Testing

@testable import PushModel

@Suite("Attribution of openings to pushes")
struct AttributionTests {
  private typealias Change = Attribution.Change

  private func at(_ hours: Int64) -> Timestamp { Timestamp(milliseconds: hours * 3_600_000) }

  @Test("one opening within a day of a push is indirect, and later ones are not credited")
  func opening() {
    var first = Attribution(send: 1, receivedAt: at(0))
    #expect(first.opened(at: at(24)) == [Change(send: 1, amount: 1)])
    #expect(first.opened(at: at(24)).isEmpty)
    var second = Attribution(send: 1, receivedAt: at(0))
    #expect(second.opened(at: Timestamp(milliseconds: 24 * 3_600_000 + 1)).isEmpty)
    #expect(second.opened(at: at(-1)).isEmpty)
    #expect(second.openedAt == nil)
  }

  @Test("a tap is direct, and replaces the indirect opening that it caused")
  func tap() {
    var told = Attribution(send: 1, receivedAt: at(0))
    #expect(told.tapped(1, at: at(2)).isEmpty)
    #expect(told.opened(at: at(2)).isEmpty)

    var late = Attribution(send: 1, receivedAt: at(0))
    _ = late.opened(at: at(2))
    #expect(late.tapped(1, at: at(2)) == [Change(send: 1, amount: -1)])
    #expect(late.credit == .direct(at: at(2)))
  }

  @Test("a tap on another push replaces only an opening at the time of the tap or after it")
  func tapOfAnother() {
    var together = Attribution(send: 2, receivedAt: at(1))
    _ = together.opened(at: at(3))
    #expect(together.tapped(1, at: at(3)) == [Change(send: 2, amount: -1)])
    #expect(together.creditedSend(at: at(4)) == 1)

    var before = Attribution(send: 2, receivedAt: at(1))
    _ = before.opened(at: at(3))
    #expect(before.tapped(1, at: at(5)).isEmpty)

    var older = Attribution(send: 2, receivedAt: at(4))
    #expect(older.tapped(1, at: at(3)).isEmpty)
    #expect(older.send == 2 && older.openedAt == nil)
  }

  @Test(
    "a push that is reported after the opening is credited with it, even in place of an older push")
  func lateReceipt() {
    let (first, changes) = Attribution.first(1, at: at(0), lastOpened: at(2))
    #expect(changes == [Change(send: 1, amount: 1)])
    var credited = first
    #expect(
      credited.received(2, at: at(1), lastOpened: at(2))
        == [Change(send: 1, amount: -1), Change(send: 2, amount: 1)])
    #expect(credited.openedAt == at(2))
    // A push after the opening starts a new attribution, and an older one changes nothing.
    #expect(credited.received(3, at: at(3), lastOpened: at(2)).isEmpty)
    #expect(credited.send == 3 && credited.credit == .none)
    #expect(credited.received(4, at: at(2), lastOpened: at(2)).isEmpty)
    #expect(credited.send == 3)
    let (new, none) = Attribution.first(1, at: at(0), lastOpened: nil)
    #expect(none.isEmpty && new.credit == .none)
  }

  @Test("a direct opening is not credited to another push that came before it")
  func tapThenReceipt() {
    var tapped = Attribution(send: 1, receivedAt: at(0))
    _ = tapped.tapped(1, at: at(3))
    #expect(tapped.received(2, at: at(2), lastOpened: at(3)).isEmpty)
    #expect(tapped.openedAt == nil)
  }

  @Test("an event within a day of the opening is credited to the push")
  func credit() {
    var push = Attribution(send: 1, receivedAt: at(0))
    #expect(push.creditedSend(at: at(1)) == nil)
    _ = push.tapped(1, at: at(2))
    #expect(push.creditedSend(at: at(26)) == 1)
    #expect(push.creditedSend(at: Timestamp(milliseconds: 26 * 3_600_000 + 1)) == nil)
    #expect(push.creditedSend(at: at(-1)) == nil)
  }
}
