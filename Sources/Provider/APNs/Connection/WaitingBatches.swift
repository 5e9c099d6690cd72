/// The batches whose results someone waits for, by their number.
struct WaitingBatches {
  private struct Pushes {
    /// The sequence that the push belongs to; `nil` for a batch.
    let sequence: ObjectIdentifier?
    let resume: ([APNsOutcome]) -> Void
  }

  private var pushes: [Int: Pushes] = [:]
  private var channelCalls: [Int: (PushResult) -> Void] = [:]

  mutating func add(
    _ batch: Int, of sequence: ObjectIdentifier? = nil,
    resume: @escaping ([APNsOutcome]) -> Void
  ) {
    pushes[batch] = Pushes(sequence: sequence, resume: resume)
  }

  mutating func addChannelCall(_ batch: Int, resume: @escaping (PushResult) -> Void) {
    channelCalls[batch] = resume
  }

  /// Removes a call about channels, and returns what resumes it; `nil` if the batch holds pushes.
  mutating func removeChannelCall(_ batch: Int) -> ((PushResult) -> Void)? {
    channelCalls.isEmpty ? nil : channelCalls.removeValue(forKey: batch)
  }

  /// Removes a batch of pushes, and returns what resumes the task that waits for its outcomes.
  mutating func remove(_ batch: Int) -> (([APNsOutcome]) -> Void)? {
    pushes.removeValue(forKey: batch)?.resume
  }

  /// The batches of a sequence, in the order in which they were added.
  func batches(of sequence: ObjectIdentifier) -> [Int] {
    pushes.filter { $0.value.sequence == sequence }.keys.sorted()
  }
}
