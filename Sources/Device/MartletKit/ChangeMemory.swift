import PushPayload

/// The changes that are not on disk yet, and the code that writes them.
///
/// There is no record before the app starts the device. Before the phone's first unlock it cannot be read, and on a full disk
/// it cannot be written. Changes wait here, in their order.
final class ChangeMemory: Sendable {
  typealias Edit = @Sendable (inout DeviceRecord) -> Void

  enum Fact: Sendable {
    case event(StoredFact)
    case receipt(ReceiptEvent, notification: String, at: Int64)
    case opening(Opening, at: Int64)
    case mark(StoredFact)
  }

  /// The most changes of each kind that wait; beyond it the oldest are dropped.
  static let limit = 1000

  private enum Change {
    /// A change of the record, which is stored also while the device is stopped if it is of its user.
    case edit(Edit, isOfUser: Bool)
    /// `owner` is the user of its time, once the changes before it are written.
    case fact(Fact, owner: String? = nil)

    var isFact: Bool { if case .fact = self { true } else { false } }
    var userEdit: Edit? { if case .edit(let edit, true) = self { edit } else { nil } }
  }

  private struct State {
    /// In their order, since an event belongs to the user of its time.
    var changes: [Change] = []
    /// The change that a start makes to the record, and the closure that creates a missing record, if it may be created; `nil`
    /// once it is written.
    var start: (make: (@Sendable () -> DeviceRecord)?, edit: Edit)?
    var hasLoadedOpenings = false
    /// The error of the last attempt to read or write the files; `nil` if it succeeded.
    var failure: (any Error)?

    mutating func add(_ change: Change) {
      changes.append(change)
      guard changes.count > ChangeMemory.limit,
        changes.count(where: { $0.isFact == change.isFact }) > ChangeMemory.limit,
        let oldest = changes.firstIndex(where: { $0.isFact == change.isFact })
      else { return }
      changes.remove(at: oldest)
    }
  }

  private let files: DeviceFiles
  private let state = Locked(State())
  private let box = Locked<OpeningBox?>(nil)

  init(_ files: DeviceFiles) { self.files = files }

  /// Connects the taps that wait for the app.
  func attach(_ box: OpeningBox) { self.box.withLock { $0 = box } }

  func add(isOfUser: Bool = false, _ edit: @escaping Edit) {
    state.withLock { state in
      state.add(.edit(edit, isOfUser: isOfUser))
      write(&state)
    }
  }

  func add(_ facts: [Fact]) {
    state.withLock { state in
      for fact in facts { state.add(.fact(fact)) }
      write(&state)
    }
  }

  /// Creates the record if it does not exist and `make` is given, and changes it.
  ///
  /// This happens later if the files cannot be used now, or if an erasure has not ended and `make` is given.
  func begin(making make: (@Sendable () -> DeviceRecord)?, then edit: @escaping Edit) {
    state.withLock { state in
      let earlier = state.start
      let all: Edit = { record in
        earlier?.edit(&record)
        edit(&record)
      }
      state.start = (earlier?.make ?? make, all)
      write(&state)
    }
    loadOpenings()
  }

  /// Whether a start waits until it can be written.
  var isStartWaiting: Bool { state.withLock { $0.start != nil } }

  /// Forgets a tap that the app takes.
  func forget(_ opening: Opening) {
    state.withLock { state in
      state.changes.removeAll {
        if case .fact(.opening(opening, _), _) = $0 { true } else { false }
      }
      // A tap whose file cannot be removed now is told again after the next start.
      try? files.openings.remove([opening.id])
    }
  }

  func forgetAll() {
    state.withLock { state in (state.changes, state.start) = ([], nil) }
  }

  /// Writes the changes that wait.
  ///
  /// - Throws: Any error if the files cannot be read or written.
  func flush() throws {
    let failure = state.withLock { state in
      write(&state)
      return state.failure
    }
    loadOpenings()
    if let failure { throw failure }
  }

  private func write(_ state: inout State) {
    do {
      try writeAll(&state)
      state.failure = nil
    } catch {
      state.failure = error
    }
  }

  private func writeAll(_ state: inout State) throws {
    if let start = state.start {
      let isWritten = try files.change { record in
        // The erasure needs the record; what is changed meanwhile is of the next device.
        if record?.phase == .erasing, start.make != nil { return false }
        // An unreadable record throws, so a new record never replaces it.
        guard var changed = record ?? start.make?() else { return true }
        start.edit(&changed)
        record = changed
        return true
      }
      guard isWritten else { return }
      state.start = nil
    }
    guard !state.changes.isEmpty else { return }
    // Before the first start there is no record, and no folder is created.
    guard let record = try files.record() else { return }
    guard record.phase == .active else {
      // Events that happen while the device is stopped are never sent.
      state.changes.removeAll(where: \.isFact)
      guard record.phase == .stopped else { return }
      // A person who signs out is signed out, even if the app never starts the device again.
      let edits = state.changes.compactMap(\.userEdit)
      if !edits.isEmpty { try applyWhileStopped(edits) }
      state.changes.removeAll { $0.userEdit != nil }
      return
    }
    try writeEdits(&state)
    while case .fact(let fact, let owner) = state.changes.first {
      try write(fact, of: owner ?? record.wantedUser, by: record.id)
      state.changes.removeFirst()
    }
  }

  /// Writes all changes of the record at once, and leaves the facts, each with the user of its time.
  private func writeEdits(_ state: inout State) throws {
    guard !state.changes.allSatisfy(\.isFact) else { return }
    let changes = state.changes
    var left = changes
    try files.change { record in
      guard var changed = record, changed.phase == .active else { return }
      var facts: [Change] = []
      for change in changes {
        switch change {
        case .edit(let edit, _): edit(&changed)
        case .fact(let fact, let owner):
          facts.append(.fact(fact, owner: owner ?? changed.wantedUser))
        }
      }
      (record, left) = (changed, facts)
    }
    state.changes = left
  }

  private func applyWhileStopped(_ edits: [Edit]) throws {
    try files.change { record in
      guard var changed = record, changed.phase == .stopped else { return }
      for edit in edits { edit(&changed) }
      record = changed
    }
  }

  private func write(_ fact: Fact, of user: String, by device: String) throws {
    do {
      switch fact {
      case .event(let event): try files.events.add(event.owned(by: user))
      case .mark(let mark): try files.marks.add(mark)
      case .receipt(let event, let notification, let time):
        try files.receipts.add(event.receipt(of: notification, by: device, at: time))
      case .opening(let opening, let time):
        guard box.withLock({ $0 })?.isWaiting(opening.id) == true else { return }
        try files.openings.add(opening.fact(at: time))
      }
    } catch let error as PushError where error.code == .invalid {
      // A tap with a very long text stays in memory.
    }
  }

  /// Adds the taps of earlier runs, once, to the taps that wait for the app.
  func loadOpenings() {
    guard let box = box.withLock({ $0 }) else { return }
    state.withLock { state in
      guard !state.hasLoadedOpenings, let stored = try? files.openings.read() else { return }
      state.hasLoadedOpenings = stored.isComplete
      for fact in stored.facts {
        if let opening = Opening(fact.json) {
          box.add(opening)
        } else {
          try? files.openings.remove([fact.id])
        }
      }
    }
    box.deliver()
  }
}
