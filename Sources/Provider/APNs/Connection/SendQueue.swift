/// A reference to a push by its batch and index, with the history of its attempts.
struct PushReference: Hashable {
  var batch: Int
  var index: Int
  /// The number of times that a peer did not process the push.
  var refusals = 0
  /// Whether the push was put back once, because APNs answered about the connection and not about the push.
  var isSecondTry = false
  /// The connection that it was sent on, and the time of sending.
  var sent: Sent?

  struct Sent: Hashable {
    var connection: Int
    /// The time since ``epoch``.
    ///
    /// An instant of the clock has no fixed size, so every value that holds one would be copied by calls into the
    /// runtime.
    var at: Duration

    static let epoch = ContinuousClock.now
  }
}

/// The queue of pushes from the call to their outcomes, with the waiting pushes, the open batches and their deadlines.
///
/// The pushes of a batch have one deadline.
struct SendQueue {
  /// The most refusals by peers before a push is settled as never sent.
  static let maxRefusals = 100

  static func refused(_ times: Int) -> String { "APNs refused the request \(times) times" }

  private struct Batch {
    let requests: Requests
    /// The outcomes by index; an outcome is a placeholder while its ``isSettled`` is `false`.
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

    /// Settles one push; returns `false` if it was settled before.
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
  /// The batches with pushes that were never taken off, each with the indices of these pushes.
  private var waiting = FIFO<(batch: Int, indices: Range<Int>)>()
  /// The number of pushes in ``waiting``.
  private var unsentCount = 0
  private var refused = FIFO<PushReference>()
  /// The pushes that found no room; each is admitted when a waiting one is taken off.
  private var outside = FIFO<(batch: Int, indices: Range<Int>)>()
  private let limit: Int

  /// Makes a queue in which at most `limit` pushes wait for a stream.
  init(limit: Int = .max) { self.limit = max(1, limit) }

  /// About how many pushes wait for a stream: some of them may have been settled meanwhile.
  var waitingCount: Int { unsentCount + refused.count }
  var isEmpty: Bool { batches.isEmpty }

  /// The earliest deadline of a batch that is not whole.
  var nextDeadline: ContinuousClock.Instant? {
    mutating get {
      while let first = order.first {
        if batches.index(forKey: first.batch) != nil { return first.deadline }
        order.removeFirst()
      }
      return nil
    }
  }

  /// The number of further pushes that may wait now.
  var room: Int { outside.first == nil ? max(0, limit - waitingCount) : 0 }

  /// Adds a batch, which must not be empty.
  ///
  /// - Parameters:
  ///   - requests: The batch.
  ///   - deadline: The time at which its pushes expire.
  ///   - most: The number of its pushes that may wait; the caller must finish the others.
  /// - Returns: The batch's number.
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
    if isFree { admit() }
    return number
  }

  /// Lets pushes from outside wait, as far as there is room.
  ///
  /// Called before pushes are taken off, and not as each is: a push that was taken off may be put back.
  private mutating func admit() {
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
      admit()
      while let first = firstWaiting, !isOpen(first) {
        removeFirst()
        admit()
      }
      return refused.first != nil || unsent != nil
    }
  }

  /// The number of bytes of the next push's body; `nil` if no push waits.
  var nextSize: Int? {
    mutating get {
      guard hasWaiting, let first = firstWaiting, let place = batches.index(forKey: first.batch)
      else { return nil }
      return batches.values[place].requests.size(first.index)
    }
  }

  /// Takes off the next pushes to send, at most `limit` of one batch; refused ones come first, because they have
  /// waited longest.
  mutating func next(upTo limit: Int) -> (requests: Requests, pushes: [PushReference])? {
    admit()
    while let first = removeFirst() {
      guard let batch = batches[first.batch], !batch.isSettled[first.index] else {
        admit()
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

  /// Puts back pushes that were taken off and not sent.
  mutating func restore(_ pushes: some Sequence<PushReference>) {
    for push in pushes where isOpen(push) { refused.append(push) }
  }

  /// The first push that was never taken off.
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

  /// Puts back a push whose answer was about the connection and not about the push.
  mutating func putBackForSecondTry(_ reference: PushReference) {
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

  /// Puts back a push that a peer did not process; `false` after more than ``maxRefusals`` refusals.
  mutating func putBack(_ reference: PushReference) -> Bool {
    var reference = reference
    reference.refusals += 1
    guard reference.refusals <= Self.maxRefusals else { return false }
    if isOpen(reference) { refused.append(reference) }
    return true
  }

  /// Settles one push, unless it is settled.
  ///
  /// - Parameters:
  ///   - reference: The push.
  ///   - result: Its result.
  ///   - observe: Called with the outcome and the topic that it is counted under.
  /// - Returns: The batch and its outcomes, once all have come; `nil` before.
  mutating func finish(
    _ reference: PushReference, _ result: PushResult,
    observe: (APNsOutcome, _ topic: String) -> Void = { _, _ in }
  ) -> (batch: Int, outcomes: [APNsOutcome])? {
    guard let place = batches.index(forKey: reference.batch) else { return nil }
    func settle(in batch: inout Batch) -> Bool {
      guard batch.settle(reference.index, result) else { return false }
      observe(batch.outcomes[reference.index], batch.requests.topic(reference.index))
      return batch.missing == 0
    }
    guard settle(in: &batches.values[place]) else { return nil }
    let (_, batch) = batches.remove(at: place)
    return (reference.batch, batch.outcomes)
  }

  /// Takes off the batches that have reached their deadline, and returns their pushes without an outcome.
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

/// A first-in, first-out queue in one array, which is compacted now and then.
struct FIFO<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }
  /// The first element; setting it replaces that element if the queue is not empty.
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
