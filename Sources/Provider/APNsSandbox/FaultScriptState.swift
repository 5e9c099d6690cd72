/// The state machine of a fault script: decides for each request and each time which faults apply.
struct FaultScriptState {
  /// A fault to apply now, and the time that it lasts.
  struct Due: Hashable {
    var fault: Fault
    var lasting: Duration?
  }

  private let rules: [FaultScript.Rule]
  /// The number of times that each rule has applied.
  private var fired: [Int]
  /// The time at which each rule with ``FaultScript/Rule/lasting`` ends.
  private var ends: [Duration?]

  init(_ script: FaultScript) {
    rules = script.rules.map { rule in
      var rule = rule
      rule.token = rule.token?.lowercased()
      return rule
    }
    fired = Array(repeating: 0, count: rules.count)
    ends = Array(repeating: nil, count: rules.count)
  }

  var isEmpty: Bool { rules.isEmpty }

  /// The times at which a rule applies without a request.
  var moments: [Duration] { rules.filter(Self.needsNoRequest).compactMap(\.at) }

  /// The faults that apply to a request.
  ///
  /// - Parameters:
  ///   - number: The number of requests since the start, including this one.
  ///   - token: The device token.
  ///   - elapsed: The time since the start.
  /// - Returns: The faults, in the order of their rules.
  mutating func onRequest(_ number: Int, token: String, elapsed: Duration) -> [Due] {
    let token = rules.contains { $0.token != nil } ? token.lowercased() : ""
    return fire(at: elapsed) { rule, fired in
      // Such a rule applies to all connections first, and after that to requests.
      if Self.needsNoRequest(rule) { return fired > 0 }
      if let after = rule.after, number <= after { return false }
      if let wanted = rule.token, token != wanted { return false }
      if let every = rule.every, every > 0 {
        return (number - (rule.after ?? 0)).isMultiple(of: every)
      }
      return true
    }
  }

  /// The faults that apply at a time since the start without a request.
  mutating func onTime(_ elapsed: Duration) -> [Due] {
    fire(at: elapsed) { rule, fired in Self.needsNoRequest(rule) && fired == 0 }
  }

  private mutating func fire(
    at elapsed: Duration, where matches: (_ rule: FaultScript.Rule, _ fired: Int) -> Bool
  ) -> [Due] {
    var due: [Due] = []
    for (index, rule) in rules.enumerated() where matches(rule, fired[index]) {
      if let at = rule.at, elapsed < at { continue }
      guard fired[index] < Self.count(rule) else { continue }
      if !rule.fault.affectsConnection, let lasting = rule.lasting {
        if let end = ends[index], elapsed >= end { continue }
        if ends[index] == nil { ends[index] = elapsed + lasting }
      }
      fired[index] += 1
      due.append(Due(fault: rule.fault, lasting: rule.lasting))
    }
    return due
  }

  private static func needsNoRequest(_ rule: FaultScript.Rule) -> Bool {
    rule.at != nil && rule.fault.affectsConnection && rule.after == nil && rule.token == nil
      && rule.every == nil
  }

  /// The number of times that a rule applies; see ``FaultScript/Rule/count``.
  private static func count(_ rule: FaultScript.Rule) -> Int {
    if let count = rule.count { return count }
    if rule.token != nil || rule.every != nil { return .max }
    if rule.fault.affectsConnection { return 1 }
    return rule.lasting != nil || (rule.after == nil && rule.at == nil) ? .max : 1
  }
}
