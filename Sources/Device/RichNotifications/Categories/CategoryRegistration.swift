/// The state machine of one registration: read the categories, write them, and read again to verify.
///
/// The system can only replace the whole set of categories, and does so asynchronously. A concurrent writer
/// may undo the write, so it is verified and repeated without a pause. Two writers can still undo one
/// another after both have verified; the interface offers no way to prevent that.
struct CategoryRegistration: Sendable {
  /// The maximum number of writes.
  static let maximumWrites = 3

  enum Event: Sendable {
    case began
    /// The identifiers of all registered categories were read.
    case read(Set<String>)
    case readFailed
    case written
  }

  enum Action: Equatable, Sendable {
    case read
    /// Write the categories that were just read, without those to remove, and with the new one.
    case write(pruning: Set<String>)
    case finish(CategoryOutcome)
    case nothing
  }

  private enum State { case idle, reading, writing, over }

  private let new: CategoryIdentifier
  private let merge: CategoryMerge
  private var state = State.idle
  private var writes = 0

  init(_ new: CategoryIdentifier, merge: CategoryMerge = CategoryMerge()) {
    self.new = new
    self.merge = merge
  }

  mutating func on(_ event: Event) -> Action {
    switch (state, event) {
    case (.idle, .began), (.writing, .written):
      state = .reading
      return .read
    case (.reading, .readFailed):
      return finish(writes == 0 ? .unreadable : .notVisible, new.text)
    case (.reading, .read(let present)):
      return decide(present)
    default:
      return .nothing
    }
  }

  private mutating func decide(_ present: Set<String>) -> Action {
    if writes > 0, present.contains(new.text) { return finish(.registered, new.text) }
    switch merge.decide(adding: new, to: present) {
    case .reuse(let identifier):
      return finish(.alreadyThere, identifier)
    case .add(let pruned):
      guard writes < Self.maximumWrites else { return finish(.notVisible, new.text) }
      writes += 1
      state = .writing
      return .write(pruning: pruned)
    }
  }

  private mutating func finish(_ result: CategoryOutcome.Result, _ identifier: String) -> Action {
    state = .over
    return .finish(CategoryOutcome(result, identifier: identifier))
  }
}
