/// A push of a batch, by its place.
struct PushReference: Hashable {
  var batch: Int
  var index: Int
  /// How often a peer said that it did not process it.
  var refusals = 0
  /// Whether an answer of APNs that was no word on the push itself has sent it round once.
  var isSecondTry = false
  /// On which connection it went, and when.
  var sent: Sent?

  struct Sent: Hashable {
    var connection: Int
    /// As what went by since ``epoch``: the clock's own type has no fixed size, and everything that
    /// holds one is copied by calls into the runtime.
    var at: Duration

    static let epoch = ContinuousClock.now
  }
}

/// Pushes from the call to their outcome: what waits, what each batch still lacks, and until when.
///
/// A batch shares one deadline, so time is kept by the batch.
struct SendQueue {
  /// A push that peers refuse more often than this is given up as never sent.
  static let maxRefusals = 100

  static func refused(_ times: Int) -> String { "APNs refused the request \(times) times" }

  private struct Batch {
    let requests: Requests
    /// Each in its place; what stands there before says nothing.
    var outcomes: [APNsOutcome]
    var isSettled: [Bool]
    var missing: Int

    init(_ requests: Requests) {
      self.requests = requests
      missing = requests.count
      outcomes = Array(
        repeating: APNsOutcome(kind: .neverSent, apnsID: ""), count: requests.count)
      isSettled = Array(repeating: false, count: requests.count)
    }

    /// Whether one had no outcome, and now has.
    mutating func settle(_ index: Int, _ result: PushResult) -> Bool {
      guard !isSettled[index] else { return false }
      isSettled[index] = true
      outcomes[index] = result.outcome(ofID: requests.id(index))
      missing -= 1
      return true
    }
  }

  private var batches: [Int: Batch] = [:]
  private var nextBatch = 0
  private var order = FIFO<(batch: Int, deadline: ContinuousClock.Instant)>()
  /// The batches of which some never left, each with those places.
  private var waiting = FIFO<(batch: Int, indices: Range<Int>)>()
  /// How many those are.
  private var unsentCount = 0
  private var refused = FIFO<PushReference>()
  /// What came while as many waited as may; it is let in where one of those leaves.
  private var outside = FIFO<(batch: Int, indices: Range<Int>)>()
  private let limit: Int

  /// At most `limit` pushes are let in to wait for a stream.
  init(limit: Int = .max) { self.limit = max(1, limit) }

  /// About how many pushes wait for a stream: those that were settled meanwhile may be among them.
  var waitingCount: Int { unsentCount + refused.count }
  var isEmpty: Bool { batches.isEmpty }

  /// When the first batch gives up; may be that of a batch that has ended since.
  var nextDeadline: ContinuousClock.Instant? {
    mutating get {
      while let first = order.first {
        if batches.index(forKey: first.batch) != nil { return first.deadline }
        order.removeFirst()
      }
      return nil
    }
  }

  /// How many more may come in at once.
  var room: Int { outside.first == nil ? max(0, limit - waitingCount) : 0 }

  /// Takes the first of a batch, which must not be empty, up to a number, and says the batch's number.
  ///
  /// Those for which there is no room wait outside.
  mutating func add(
    _ requests: Requests, deadline: ContinuousClock.Instant, upTo most: Int = .max
  ) -> Int {
    let number = nextBatch
    nextBatch += 1
    let count = requests.count
    batches[number] = Batch(requests)
    order.append((number, deadline))
    let isFree = outside.first == nil
    outside.append((number, 0..<min(count, most)))
    if isFree { letIn() }
    return number
  }

  /// Not as others are taken off, for those may be put back.
  private mutating func letIn() {
    while let first = outside.first, waitingCount < limit || first.indices.isEmpty {
      let count = min(first.indices.count, max(0, limit - waitingCount))
      if count > 0 { waiting.append((first.batch, first.indices.prefix(count))) }
      unsentCount += count
      outside.first?.indices.removeFirst(count)
      if outside.first?.indices.isEmpty == true { outside.removeFirst() }
    }
  }

  /// Whether a push waits for a stream.
  var hasWaiting: Bool {
    mutating get {
      letIn()
      while let first = firstWaiting, !isOpen(first) {
        removeFirst()
        letIn()
      }
      return refused.first != nil || unsent != nil
    }
  }

  /// How many bytes the body of the next push has; `nil` where none waits.
  var nextSize: Int? {
    mutating get {
      guard hasWaiting, let first = firstWaiting, let place = batches.index(forKey: first.batch)
      else { return nil }
      return batches.values[place].requests.size(first.index)
    }
  }

  /// Takes off the next pushes to send, up to so many of one batch: refused ones first, they have waited
  /// longest.
  mutating func next(upTo limit: Int) -> (requests: Requests, pushes: [PushReference])? {
    letIn()
    while let first = removeFirst() {
      guard let batch = batches[first.batch], !batch.isSettled[first.index] else {
        letIn()
        continue
      }
      var pushes = [first]
      pushes.reserveCapacity(limit)
      while pushes.count < limit, firstWaiting?.batch == first.batch, let next = removeFirst() {
        if !batch.isSettled[next.index] { pushes.append(next) }
      }
      return (batch.requests, pushes)
    }
    return nil
  }

  private var firstWaiting: PushReference? { refused.first ?? unsent }

  /// Puts back the last pushes that were taken off and did not go out.
  mutating func restore(_ pushes: some Sequence<PushReference>) {
    for push in pushes where isOpen(push) { refused.append(push) }
  }

  /// The first push that never left.
  private var unsent: PushReference? {
    waiting.first.map { PushReference(batch: $0.batch, index: $0.indices.lowerBound) }
  }

  @discardableResult
  private mutating func removeFirst() -> PushReference? { refused.removeFirst() ?? removeUnsent() }

  private mutating func removeUnsent() -> PushReference? {
    guard let reference = unsent else { return nil }
    unsentCount -= 1
    waiting.first?.indices.removeFirst()
    if waiting.first?.indices.isEmpty == true { waiting.removeFirst() }
    return reference
  }

  /// Puts back a push whose answer was about the connection and not about it.
  mutating func putBackOnce(_ reference: PushReference) {
    var reference = reference
    reference.isSecondTry = true
    if isOpen(reference) { refused.append(reference) }
  }

  /// All pushes without an outcome.
  var open: [PushReference] { batches.keys.sorted().flatMap(open(in:)) }

  /// The pushes of a batch without an outcome.
  func open(in batch: Int) -> [PushReference] {
    (batches[batch]?.isSettled ?? []).enumerated().filter { !$0.element }
      .map { PushReference(batch: batch, index: $0.offset) }
  }

  /// Puts back a push that a peer did not process; `false` where that was so too often.
  mutating func putBack(_ reference: PushReference) -> Bool {
    var reference = reference
    reference.refusals += 1
    guard reference.refusals <= Self.maxRefusals else { return false }
    if isOpen(reference) { refused.append(reference) }
    return true
  }

  /// Settles one push, unless it is settled; the batch comes back once it is whole.
  ///
  /// `heard` is told of the outcome, and of the topic that it is counted under.
  mutating func finish(
    _ reference: PushReference, _ result: PushResult,
    heard: (APNsOutcome, _ topic: String) -> Void = { _, _ in }
  ) -> (batch: Int, outcomes: [APNsOutcome])? {
    guard let place = batches.index(forKey: reference.batch) else { return nil }
    func settle(in batch: inout Batch) -> Bool {
      guard batch.settle(reference.index, result) else { return false }
      heard(batch.outcomes[reference.index], batch.requests.topic(reference.index))
      return batch.missing == 0
    }
    guard settle(in: &batches.values[place]) else { return nil }
    let (_, batch) = batches.remove(at: place)
    return (reference.batch, batch.outcomes)
  }

  /// Takes off the batches whose time is over; each of their open pushes is to be finished.
  mutating func popExpired(now: ContinuousClock.Instant) -> [PushReference] {
    var expired: [PushReference] = []
    while let deadline = nextDeadline, deadline <= now, let first = order.removeFirst() {
      expired += open(in: first.batch)
    }
    return expired
  }

  /// Whether a push has no outcome yet.
  func isOpen(_ reference: PushReference) -> Bool {
    guard let place = batches.index(forKey: reference.batch) else { return false }
    return !batches.values[place].isSettled[reference.index]
  }
}

/// First in, first out, in one array that is compacted now and then.
struct FIFO<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }
  /// Setting it changes the first element where there is one.
  var first: Element? {
    get { head < elements.count ? elements[head] : nil }
    set { if let newValue, head < elements.count { elements[head] = newValue } }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  @discardableResult
  mutating func removeFirst() -> Element? {
    guard let first else { return nil }
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head < 4096)
      head = 0
    } else if head >= 1024, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}
