import MediaLoading

/// The meaning of a response for the receipts of the request, as in the table of ``ReceiptSender``.
enum ReceiptAnswer: Equatable {
  case accepted, invalid, retryLater

  init(status: Int) {
    self =
      switch status {
      case 200..<300: .accepted
      case 400, 413, 422: .invalid
      default: .retryLater
      }
  }
}

/// The state machine that sends a queue of receipts, request by request.
struct ReceiptSending: Sendable {
  /// The maximum number of receipts in a request.
  static let batchSize = 100
  /// The maximum number of requests.
  ///
  /// Receipts left then stay in the queue.
  static let maximumRequests = 32

  enum Event: Sendable {
    case began([Receipt])
    case answered(Int)
    case failed(MediaLoadError)
  }

  /// The receipts to remove first, and the next step.
  struct Action: Equatable, Sendable {
    enum Next: Equatable, Sendable {
      case post([Receipt])
      case finish(ReceiptReport)
      case nothing
    }

    var removing: [Receipt.ID] = []
    var next: Next
  }

  /// The batches to send, the next one last.
  private var batches: [ArraySlice<Receipt>] = []
  private var currentBatch: ArraySlice<Receipt>?
  private var requests = 0
  private var report = ReceiptReport()

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .began(let receipts):
      report.kept = receipts.count
      batches = stride(from: 0, to: receipts.count, by: Self.batchSize).reversed().map {
        receipts[$0..<min($0 + Self.batchSize, receipts.count)]
      }
      return next()
    case .answered(let status):
      guard let batch = currentBatch else { return Action(next: .nothing) }
      currentBatch = nil
      return answered(status, batch)
    case .failed(let error):
      guard currentBatch != nil else { return Action(next: .nothing) }
      currentBatch = nil
      return finish("the server could not be reached: \(error.message)")
    }
  }

  private mutating func answered(_ status: Int, _ batch: ArraySlice<Receipt>) -> Action {
    switch ReceiptAnswer(status: status) {
    case .accepted:
      report.sent += batch.count
      return next(removing: batch)
    case .invalid where batch.count > 1:
      let middle = batch.startIndex + batch.count / 2
      batches += [batch[middle...], batch[..<middle]]
      return next()
    case .invalid:
      drop(batch, status)
      return next(removing: batch)
    case .retryLater:
      return finish(
        status == 401
          ? "the server does not know the key (status 401)"
          : "the server responded with status \(status)")
    }
  }

  private mutating func next(removing batch: ArraySlice<Receipt> = []) -> Action {
    report.kept -= batch.count
    guard let following = batches.last else { return finished(removing: batch) }
    guard requests < Self.maximumRequests else {
      report.note = "stopped after \(requests) requests; the remaining receipts stay in the queue"
      return finished(removing: batch)
    }
    batches.removeLast()
    requests += 1
    currentBatch = following
    return Action(removing: batch.map(\.id), next: .post(Array(following)))
  }

  private mutating func drop(_ batch: ArraySlice<Receipt>, _ status: Int) {
    report.dropped += batch.map { ReceiptReport.Dropped(id: $0.id, status: status) }
    report.note = "the server responded with status \(status)"
  }

  private mutating func finish(_ note: String) -> Action {
    report.note = note
    return finished()
  }

  private mutating func finished(removing batch: ArraySlice<Receipt> = []) -> Action {
    batches = []
    return Action(removing: batch.map(\.id), next: .finish(report))
  }
}
