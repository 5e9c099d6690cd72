import Foundation
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Which categories are kept when one is added")
struct CategoryMergeTests {
  /// Categories made for payloads, one per second, each with different buttons.
  static func own(_ count: Int, from start: Int = 0) -> [CategoryIdentifier] {
    (start..<start + count).map { second in
      CategoryIdentifier(
        at: Date(timeIntervalSince1970: Double(second)), buttons: WordHash(of: ["\(second)"]))
    }
  }

  static let foreign: Set<String> = [
    "", "NEWS", "martlet.buttons", "martlet.buttons.", "martlet.buttons.mine",
    "martlet.buttons.00000001.short", "Martlet.buttons.00000000.\(digits)",
    "martlet.buttons.0000000G.\(digits)", "martlet.buttons.00000000.\(digits).x",
    "martlet.buttons.00000000..\(digits)", "__onesignal__dynamic__1",
  ]
  static let digits = String(repeating: "0", count: 32)

  @Test(
    "with 30 and 31 made categories none is removed, with 32 the oldest, with 33 the two oldest",
    arguments: [(30, 0), (31, 0), (32, 1), (33, 2)])
  func bound(count: Int, pruned: Int) {
    let own = Self.own(count)
    let new = Self.own(1, from: 1000)[0]
    let decision = CategoryMerge().decide(
      adding: new, to: Set(own.map(\.text)).union(Self.foreign))
    #expect(decision == .add(pruning: Set(own.prefix(pruned).map(\.text))))
  }

  @Test("the new category is never removed, even if the phone's clock makes it the oldest")
  func newest() {
    let own = Self.own(40, from: 1000)
    let new = Self.own(1)[0]
    guard case .add(let pruned) = CategoryMerge().decide(adding: new, to: Set(own.map(\.text)))
    else { return #expect(Bool(false)) }
    #expect(pruned == Set(own.prefix(9).map(\.text)))
  }

  @Test(
    "a category with the same buttons is reused while half of the others are older",
    arguments: [(15, true), (16, false)])
  func reuse(younger: Int, isReused: Bool) {
    let merge = CategoryMerge(limit: 32)
    let known = Self.own(1)[0]
    let new = CategoryIdentifier(
      at: Date(timeIntervalSince1970: 5000), buttons: WordHash(of: ["0"]))
    let present = Set(([known] + Self.own(younger, from: 100)).map(\.text))
    let decision = merge.decide(adding: new, to: present)
    #expect(decision == (isReused ? .reuse(known.text) : .add(pruning: [])))
  }

  @Test("of several categories with the same buttons the newest is used")
  func youngest() {
    let same = (0..<3).map {
      CategoryIdentifier(
        at: Date(timeIntervalSince1970: Double($0)), buttons: WordHash(of: ["x"]))
    }
    #expect(
      CategoryMerge().decide(adding: same[0], to: Set(same.map(\.text))) == .reuse(same[2].text))
  }

  @Test("only made categories are removed, at most those over the limit, never the new one")
  func property() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let limit = Int.random(in: 1...8, using: &random)
      let all = Self.own(20)
      let own = Set(all.filter { _ in Bool.random(using: &random) }.map(\.text))
      let new = all[Int.random(in: 0..<20, using: &random)]
      let present = own.union(Self.foreign)
      switch CategoryMerge(limit: limit).decide(adding: new, to: present) {
      case .reuse(let identifier): #expect(own.contains(identifier))
      case .add(let pruned):
        #expect(pruned.isSubset(of: own) && !pruned.contains(new.text))
        let left = own.subtracting(pruned).union([new.text])
        #expect(left.count == min(limit, own.union([new.text]).count))
      }
    }
  }
}
