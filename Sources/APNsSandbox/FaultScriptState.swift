/// How far a script has come: says for each request and each moment what goes wrong.
struct FaultScriptState {
  /// A fault and how long it lasts.
  struct Due: Hashable {
    var fault: Fault
    var lasting: Duration?
  }

  private let rules: [FaultScript.Rule]
  private var fired: [Int]
  /// When a rule with ``FaultScript/Rule/lasting`` ends.
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

  /// The moments at which something happens without a request.
  var moments: [Duration] { rules.filter(Self.isMoment).compactMap(\.at) }

  /// What a request meets: its number since the start, its device token and the time since the start.
  mutating func onRequest(_ number: Int, token: String, elapsed: Duration) -> [Due] {
    let token = rules.contains { $0.token != nil } ? token.lowercased() : ""
    return take(elapsed) { rule, fired in
      // By itself at first, and then by requests where it happens more than once.
      if Self.isMoment(rule) { return fired > 0 }
      if let after = rule.after, number <= after { return false }
      if let wanted = rule.token, token != wanted { return false }
      if let every = rule.every, every > 0 {
        return (number - (rule.after ?? 0)).isMultiple(of: every)
      }
      return true
    }
  }

  /// What happens by itself at a time since the start.
  mutating func onTime(_ elapsed: Duration) -> [Due] {
    take(elapsed) { rule, fired in Self.isMoment(rule) && fired == 0 }
  }

  private mutating func take(
    _ elapsed: Duration, _ holds: (_ rule: FaultScript.Rule, _ fired: Int) -> Bool
  ) -> [Due] {
    var due: [Due] = []
    for (index, rule) in rules.enumerated() where holds(rule, fired[index]) {
      if let at = rule.at, elapsed < at { continue }
      guard fired[index] < Self.count(rule) else { continue }
      if !rule.fault.isOfConnection, let lasting = rule.lasting {
        if let end = ends[index], elapsed >= end { continue }
        if ends[index] == nil { ends[index] = elapsed + lasting }
      }
      fired[index] += 1
      due.append(Due(fault: rule.fault, lasting: rule.lasting))
    }
    return due
  }

  private static func isMoment(_ rule: FaultScript.Rule) -> Bool {
    rule.at != nil && rule.fault.isOfConnection && rule.after == nil && rule.token == nil
      && rule.every == nil
  }

  private static func count(_ rule: FaultScript.Rule) -> Int {
    if let count = rule.count { return count }
    if rule.token != nil || rule.every != nil { return .max }
    if rule.fault.isOfConnection { return 1 }
    return rule.lasting != nil || (rule.after == nil && rule.at == nil) ? .max : 1
  }
}
