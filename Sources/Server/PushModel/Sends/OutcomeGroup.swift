/// Consecutive outcomes with the same end in the same hour.
///
/// Most outcomes of a batch are alike, so they are counted by group.
package struct OutcomeGroup: Hashable {
  package var end: OutcomeReason
  /// The start of the hour, UTC.
  package var hour: Timestamp
  package var count: Int
}

extension [OutcomeGroup] {
  /// The groups of outcomes, in their order.
  package init(_ outcomes: [Outcome]) {
    self.init()
    // By index, because iteration would copy whole outcomes.
    for place in outcomes.indices {
      let hour = outcomes[place].time.hour
      if let last, last.hour == hour, outcomes[place].hasEnd(last.end) {
        self[endIndex - 1].count += 1
      } else {
        append(OutcomeGroup(end: outcomes[place].end, hour: hour, count: 1))
      }
    }
  }

  /// The number of outcomes whose end satisfies a predicate.
  package func count(_ isCounted: (OutcomeReason) -> Bool) -> Int {
    reduce(0) { sum, group in isCounted(group.end) ? sum + group.count : sum }
  }
}
