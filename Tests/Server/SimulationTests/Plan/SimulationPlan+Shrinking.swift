extension SimulationPlan {
  /// The fewest events with which a plan still fails, found by leaving out halves, then smaller parts, then single
  /// ones.
  ///
  /// - Parameters:
  ///   - limit: The most runs.
  ///   - fails: Whether a plan fails.
  func shrunk(atMost limit: Int, fails: (SimulationPlan) -> Bool) -> SimulationPlan {
    var (best, runs) = (self, 0)
    var size = max(1, events.count / 2)
    while true {
      var (start, hasShrunk) = (0, false)
      while start < best.events.count {
        guard runs < limit else { return best }
        var plan = best
        plan.events.removeSubrange(start..<min(start + size, plan.events.count))
        runs += 1
        if fails(plan) { (best, hasShrunk) = (plan, true) } else { start += size }
      }
      if size == 1, !hasShrunk { return best }
      size = max(1, size / 2)
    }
  }
}
