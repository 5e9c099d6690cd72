import Foundation
import Testing

@testable import RichNotifications

/// A model of the system's set of categories, which is read and replaced as a whole.
private struct ModelCenter {
  var categories: Set<String> = ["NEWS", "com.example.chat"]

  mutating func write(_ read: Set<String>, adding new: String, pruning pruned: Set<String>) {
    categories = read.subtracting(pruned).union([new])
  }
}

@Suite("The state machine of a registration")
struct CategoryRegistrationTests {
  static let names = CategoryMergeTests.own(2)

  @Test("reads, writes, verifies and finishes")
  func plain() {
    let new = Self.names[0]
    var registration = CategoryRegistration(new)
    #expect(registration.on(.began) == .read)
    #expect(registration.on(.read(["NEWS"])) == .write(pruning: []))
    #expect(registration.on(.written) == .read)
    #expect(
      registration.on(.read(["NEWS", new.text]))
        == .finish(CategoryOutcome(.registered, identifier: new.text)))
    #expect(registration.on(.read([])) == .nothing)
  }

  @Test("writes nothing if the buttons are registered")
  func known() {
    let new = Self.names[0]
    var registration = CategoryRegistration(new)
    _ = registration.on(.began)
    #expect(
      registration.on(.read([new.text]))
        == .finish(CategoryOutcome(.alreadyThere, identifier: new.text)))
  }

  @Test("writes three times at most")
  func invisible() {
    let new = Self.names[0]
    var registration = CategoryRegistration(new)
    var action = registration.on(.began)
    var writes = 0
    while true {
      switch action {
      case .read: action = registration.on(.read(["NEWS"]))
      case .write(let pruned):
        #expect(pruned.isEmpty)
        writes += 1
        action = registration.on(.written)
      case .finish(let outcome):
        #expect(outcome == CategoryOutcome(.notVisible, identifier: new.text))
        #expect(writes == 3)
        return
      case .nothing:
        Issue.record("it stopped")
        return
      }
    }
  }

  @Test("never writes after a failed read, the first or a later one", arguments: [0, 1, 2])
  func unreadable(writes: Int) {
    var registration = CategoryRegistration(Self.names[0])
    _ = registration.on(.began)
    for _ in 0..<writes {
      #expect(registration.on(.read([])) == .write(pruning: []))
      #expect(registration.on(.written) == .read)
    }
    let result: CategoryOutcome.Result = writes == 0 ? .unreadable : .notVisible
    #expect(
      registration.on(.readFailed)
        == .finish(CategoryOutcome(result, identifier: Self.names[0].text)))
  }

  @Test("a write that another writer undoes is repeated")
  func lostUpdate() {
    let (a, b) = (Self.names[0].text, Self.names[1].text)
    var center = ModelCenter()
    var first = CategoryRegistration(Self.names[0])
    var second = CategoryRegistration(Self.names[1])
    _ = (first.on(.began), second.on(.began))
    let old = center.categories
    _ = (first.on(.read(old)), second.on(.read(old)))
    center.write(old, adding: a, pruning: [])
    center.write(old, adding: b, pruning: [])
    _ = (first.on(.written), second.on(.written))
    #expect(first.on(.read(center.categories)) == .write(pruning: []))
    center.write(center.categories, adding: a, pruning: [])
    _ = first.on(.written)
    #expect(
      first.on(.read(center.categories)) == .finish(CategoryOutcome(.registered, identifier: a)))
    #expect(
      second.on(.read(center.categories)) == .finish(CategoryOutcome(.registered, identifier: b)))
    #expect(center.categories == ["NEWS", "com.example.chat", a, b])
  }

  @Test(
    "4096 interleavings of two registrations: foreign categories live, and what is said is true")
  func interleavings() {
    for pattern in 0..<4096 {
      var center = ModelCenter()
      var runs = Self.names.map { ModelRun(CategoryRegistration($0), $0.text) }
      for turn in 0..<12 { runs[pattern >> turn & 1].step(&center) }
      while let open = runs.firstIndex(where: { $0.outcome == nil }) { runs[open].step(&center) }
      #expect(center.categories.isSuperset(of: ["NEWS", "com.example.chat"]), "\(pattern)")
      for run in runs { #expect(run.wasTrue && run.writes <= 3, "\(pattern)") }
    }
  }
}

/// A registration that performs one read or write of the model per call.
private struct ModelRun {
  var registration: CategoryRegistration
  let name: String
  var action: CategoryRegistration.Action
  var last: Set<String> = []
  var writes = 0
  var outcome: CategoryOutcome?
  /// Whether the category was registered when the registration reported it.
  var wasTrue = true

  init(_ registration: CategoryRegistration, _ name: String) {
    self.registration = registration
    self.name = name
    action = self.registration.on(.began)
  }

  mutating func step(_ center: inout ModelCenter) {
    switch action {
    case .read:
      last = center.categories
      action = registration.on(.read(last))
    case .write(let pruned):
      writes += 1
      center.write(last, adding: name, pruning: pruned)
      action = registration.on(.written)
    case .finish, .nothing: break
    }
    guard outcome == nil, case .finish(let outcome) = action else { return }
    self.outcome = outcome
    wasTrue = [.registered, .alreadyThere].contains(outcome.result) == last.contains(name)
  }
}
