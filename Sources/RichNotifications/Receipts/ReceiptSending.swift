import MediaLoading

/// What a server's answer means for the receipts of one request; ``ReceiptSender`` has the table.
enum ReceiptAnswer: Equatable {
  case taken, faulty, refused, later

  init(status: Int) {
    self =
      switch status {
      case 200..<300: .taken
      case 400, 413, 422: .faulty
      case 401, 408, 425, 429: .later
      case 400..<500: .refused
      default: .later
      }
  }
}

/// The way of waiting receipts to the server, request by request.
struct ReceiptSending: Sendable {
  /// How many receipts go in one request at most.
  static let batchSize = 100
  /// How many requests are made at most; what is left then waits for the next time.
  static let maximumRequests = 32

  enum Event: Sendable {
    case began([Receipt])
    case answered(Int)
    case failed(MediaLoadError)
  }

  /// What to remove first, and what to do then.
  struct Action: Equatable, Sendable {
    enum Next: Equatable, Sendable {
      case post([Receipt])
      case finish(ReceiptReport)
      case nothing
    }

    var removing: [Receipt.ID] = []
    var next: Next
  }

  /// The next one last.
  private var batches: [ArraySlice<Receipt>] = []
  private var underWay: ArraySlice<Receipt>?
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
      guard let batch = underWay else { return Action(next: .nothing) }
      underWay = nil
      return answered(status, batch)
    case .failed(let error):
      guard underWay != nil else { return Action(next: .nothing) }
      underWay = nil
      return finish("the server was not reached: \(error.message)")
    }
  }

  private mutating func answered(_ status: Int, _ batch: ArraySlice<Receipt>) -> Action {
    switch ReceiptAnswer(status: status) {
    case .taken:
      report.sent += batch.count
      return next(removing: batch)
    case .faulty where batch.count > 1:
      let middle = batch.startIndex + batch.count / 2
      batches += [batch[middle...], batch[..<middle]]
      return next()
    case .faulty:
      drop(batch, status)
      return next(removing: batch)
    case .refused:
      drop(batch, status)
      return finish("the server answered \(status)", removing: batch)
    case .later:
      return finish(
        status == 401 ? "the server does not know the key (401)" : "the server answered \(status)")
    }
  }

  private mutating func next(removing batch: ArraySlice<Receipt> = []) -> Action {
    report.kept -= batch.count
    guard let following = batches.last else { return finished(removing: batch) }
    guard requests < Self.maximumRequests else {
      report.note = "\(requests) requests were made; the rest waits"
      return finished(removing: batch)
    }
    batches.removeLast()
    requests += 1
    underWay = following
    return Action(removing: batch.map(\.id), next: .post(Array(following)))
  }

  private mutating func drop(_ batch: ArraySlice<Receipt>, _ status: Int) {
    report.dropped += batch.map { ReceiptReport.Dropped(id: $0.id, status: status) }
    report.note = "the server answered \(status)"
  }

  private mutating func finish(_ note: String, removing batch: ArraySlice<Receipt> = []) -> Action {
    report.kept -= batch.count
    report.note = note
    return finished(removing: batch)
  }

  private mutating func finished(removing batch: ArraySlice<Receipt>) -> Action {
    batches = []
    return Action(removing: batch.map(\.id), next: .finish(report))
  }
}
