/// The callers that wait for outcomes, by the number of their batch.
struct Callers {
  private struct Caller {
    /// The sequence that the push belongs to; `nil` for a batch.
    let sequence: ObjectIdentifier?
    let resume: ([APNsOutcome]) -> Void
  }

  private var callers: [Int: Caller] = [:]
  /// The callers of calls about channels.
  private var calls: [Int: (PushResult) -> Void] = [:]

  mutating func add(
    _ batch: Int, of sequence: ObjectIdentifier? = nil,
    resume: @escaping ([APNsOutcome]) -> Void
  ) {
    callers[batch] = Caller(sequence: sequence, resume: resume)
  }

  mutating func addCall(_ batch: Int, resume: @escaping (PushResult) -> Void) {
    calls[batch] = resume
  }

  /// Removes the caller of a call about channels; `nil` if the batch holds pushes.
  mutating func removeCall(_ batch: Int) -> ((PushResult) -> Void)? {
    calls.isEmpty ? nil : calls.removeValue(forKey: batch)
  }

  /// Removes the caller that waits for the outcomes of a batch.
  mutating func remove(_ batch: Int) -> (([APNsOutcome]) -> Void)? {
    callers.removeValue(forKey: batch)?.resume
  }

  /// The batches of a sequence, in the order in which they were added.
  func batches(of sequence: ObjectIdentifier) -> [Int] {
    callers.filter { $0.value.sequence == sequence }.keys.sorted()
  }
}
