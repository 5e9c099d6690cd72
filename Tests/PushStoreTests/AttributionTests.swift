import Testing

@testable import PushStore

@Suite("Which push an opening is owed to")
struct AttributionTests {
  private typealias Change = Attribution.Change

  private func at(_ hours: Int64) -> Timestamp { Timestamp(milliseconds: hours * 3_600_000) }

  @Test("an opening within a day of a push is its indirect one, once; later ones are nobody's")
  func opening() {
    var first = Attribution(send: 1, receivedAt: at(0))
    #expect(first.opened(at: at(24)) == [Change(send: 1, amount: 1)])
    #expect(first.opened(at: at(24)).isEmpty)
    var second = Attribution(send: 1, receivedAt: at(0))
    #expect(second.opened(at: Timestamp(milliseconds: 24 * 3_600_000 + 1)).isEmpty)
    #expect(second.opened(at: at(-1)).isEmpty)
    #expect(second.openedAt == nil)
  }

  @Test("a tap is direct, and takes back what looked like an opening without one")
  func tap() {
    var told = Attribution(send: 1, receivedAt: at(0))
    #expect(told.tapped(1, at: at(2)).isEmpty)
    #expect(told.opened(at: at(2)).isEmpty)

    var late = Attribution(send: 1, receivedAt: at(0))
    _ = late.opened(at: at(2))
    #expect(late.tapped(1, at: at(2)) == [Change(send: 1, amount: -1)])
    #expect(late.credit == .direct(at: at(2)))
  }

  @Test("a tap on another push takes back only an opening that came with it")
  func tapOfAnother() {
    var together = Attribution(send: 2, receivedAt: at(1))
    _ = together.opened(at: at(3))
    #expect(together.tapped(1, at: at(3)) == [Change(send: 2, amount: -1)])
    #expect(together.send(of: at(4)) == 1)

    var before = Attribution(send: 2, receivedAt: at(1))
    _ = before.opened(at: at(3))
    #expect(before.tapped(1, at: at(5)).isEmpty)

    var older = Attribution(send: 2, receivedAt: at(4))
    #expect(older.tapped(1, at: at(3)).isEmpty)
    #expect(older.send == 2 && older.openedAt == nil)
  }

  @Test("a push that is told of after the opening gets it, from an older one too")
  func lateReceipt() {
    let (first, changes) = Attribution.first(1, at: at(0), lastOpened: at(2))
    #expect(changes == [Change(send: 1, amount: 1)])
    var credited = first
    #expect(
      credited.received(2, at: at(1), lastOpened: at(2))
        == [Change(send: 1, amount: -1), Change(send: 2, amount: 1)])
    #expect(credited.openedAt == at(2))
    // One that came after the opening starts anew, and one that is older changes nothing.
    #expect(credited.received(3, at: at(3), lastOpened: at(2)).isEmpty)
    #expect(credited.send == 3 && credited.credit == .none)
    #expect(credited.received(4, at: at(2), lastOpened: at(2)).isEmpty)
    #expect(credited.send == 3)
    let (new, none) = Attribution.first(1, at: at(0), lastOpened: nil)
    #expect(none.isEmpty && new.credit == .none)
  }

  @Test("an opening by a tap is not also another push's that came before it")
  func tapThenReceipt() {
    var tapped = Attribution(send: 1, receivedAt: at(0))
    _ = tapped.tapped(1, at: at(3))
    #expect(tapped.received(2, at: at(2), lastOpened: at(3)).isEmpty)
    #expect(tapped.openedAt == nil)
  }

  @Test("what is done within a day of the opening is the push's")
  func credit() {
    var push = Attribution(send: 1, receivedAt: at(0))
    #expect(push.send(of: at(1)) == nil)
    _ = push.tapped(1, at: at(2))
    #expect(push.send(of: at(26)) == 1)
    #expect(push.send(of: Timestamp(milliseconds: 26 * 3_600_000 + 1)) == nil)
    #expect(push.send(of: at(-1)) == nil)
  }
}
