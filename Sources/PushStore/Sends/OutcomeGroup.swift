/// Outcomes of one end and one hour that follow one another.
///
/// Most outcomes of a batch are alike, so what is counted of them is counted by group.
struct OutcomeGroup: Hashable {
  var end: OutcomeReason
  /// The start of the hour, UTC.
  var hour: Timestamp
  var count: Int
}

extension [OutcomeGroup] {
  /// The groups of outcomes, in their order.
  init(_ outcomes: [Outcome]) {
    self.init()
    var first = 0
    for place in outcomes.indices {
      let next = place + 1
      // Field by field, since an outcome as a whole would be copied.
      if next < outcomes.count, outcomes[next].result == outcomes[first].result,
        outcomes[next].status == outcomes[first].status,
        outcomes[next].reason == outcomes[first].reason,
        outcomes[next].time.hour == outcomes[first].time.hour
      {
        continue
      }
      append(
        OutcomeGroup(
          end: outcomes[first].end, hour: outcomes[first].time.hour, count: next - first))
      first = next
    }
  }

  /// The number of outcomes in the groups whose end is one that is asked for.
  func count(_ isCounted: (OutcomeReason) -> Bool) -> Int {
    reduce(0) { sum, group in isCounted(group.end) ? sum + group.count : sum }
  }
}
