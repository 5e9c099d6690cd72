import PushModel
import PushPayload

/// The fields of the limits: the app's that the campaign obeys, and its own in their place.
extension CampaignForm {
  /// The campaign's use of the app's frequency caps.
  enum Caps: String, CaseIterable, Sendable {
    case obey
    case obeyOnly = "obey-only"
    case ignore
    case ignoreAndCount = "ignore-and-count"

    init(_ capping: Send.Capping) {
      let counts = capping.contains(.counts)
      self =
        capping.contains(.obeys)
        ? (counts ? .obey : .obeyOnly) : (counts ? .ignoreAndCount : .ignore)
    }

    var title: String {
      switch self {
      case .obey: "Use the app's"
      case .obeyOnly: "Use the app's, and do not count for them"
      case .ignore: "Send past them"
      case .ignoreAndCount: "Send past them, and count for them"
      }
    }

    /// The members of `limits` that stand for the choice; empty for the default.
    fileprivate var members: [String: JSONValue] {
      switch self {
      case .obey: [:]
      case .obeyOnly: ["counts": false]
      case .ignore: ["caps": "ignore"]
      case .ignoreAndCount: ["caps": "ignore", "counts": true]
      }
    }
  }

  /// Fills the fields from the `limits` of a document, which is already checked.
  mutating func fillLimits(_ limits: [String: JSONValue]) {
    let read = try? SendLimits(BodyValue(.object(limits)), isObedient: true)
    switch read?.quiet {
    case .obey, nil: self[.quiet] = "obey"
    case .ignore: self[.quiet] = "ignore"
    case .own: self[.quiet] = "own"
    }
    var hours = QuietHours(from: 22 * 60, to: 8 * 60, otherwise: .wait)
    if case .own(let own)? = read?.quiet { hours = own }
    self[.quietFrom] = QuietHours.clock(hours.from)
    self[.quietTo] = QuietHours.clock(hours.to)
    self[.quietElse] = hours.otherwise.rawValue
    self[.caps] = Caps(read?.capping ?? [.obeys, .counts]).rawValue
  }

  /// The `limits` of the document; empty if the campaign uses all of the app's.
  var limits: [String: JSONValue] {
    var limits = kept["limits"]?.object ?? [:]
    // The other limits apply only to pushes.
    if isInApp { return self[.holdout] == "ignore" ? ["holdout": "ignore"] : [:] }
    let keptQuiet = limits.removeValue(forKey: "quiet")?.object ?? [:]
    if !self[.throttle].isEmpty { limits["per_second"] = .entered(self[.throttle]) }
    if self[.holdout] == "ignore" { limits["holdout"] = "ignore" }
    switch self[.quiet] {
    case "ignore": limits["quiet"] = "ignore"
    case "own":
      limits["quiet"] = .object(
        keptQuiet.merging([
          "from": .string(self[.quietFrom]), "to": .string(self[.quietTo]),
          "else": .string(self[.quietElse]),
        ]) { $1 })
    default: break
    }
    limits.merge((Caps(rawValue: self[.caps]) ?? .obey).members) { $1 }
    return limits
  }

  var limitProblems: [Remark] {
    guard self[.quiet] == "own", !isInApp else { return [] }
    return QuietHoursForm(from: self[.quietFrom], to: self[.quietTo]).problems(
      from: Field.quietFrom.rawValue, to: Field.quietTo.rawValue)
  }
}

/// The start and the end of quiet hours, as texts of a form.
struct QuietHoursForm: Sendable {
  var from: String
  var to: String

  /// The mistakes in the times, at the fields with these names.
  func problems(from: String, to: String) -> [ComposePreview.Remark] {
    var all: [ComposePreview.Remark] = []
    let isTime = /([01]\d|2[0-3]):[0-5]\d/
    if self.from.wholeMatch(of: isTime) == nil {
      all.append(.refusal("Quiet hours, from: enter a time such as 22:00.", at: from))
    }
    if self.to.wholeMatch(of: isTime) == nil {
      all.append(.refusal("Quiet hours, to: enter a time such as 08:00.", at: to))
    }
    if all.isEmpty, self.from == self.to {
      all.append(
        .refusal("Quiet hours: they end when they begin. The whole day cannot be quiet.", at: to))
    }
    return all
  }
}
