import PushModel
import PushPayload

/// The form of an app's limits, and the body of the API request that it makes.
struct LimitsForm: Sendable {
  enum Field: String, Sendable {
    case quiet, percent, redraw, approval
    case quietFrom = "quiet_from"
    case quietTo = "quiet_to"
    case quietElse = "quiet_else"
  }

  /// The fields of one frequency cap.
  struct CapRow: Sendable {
    var row: Int
    var most: String
    var within: CampaignPeriod
  }

  private(set) var form: Form
  /// The members of the current limits, some of which may have no field in the form.
  private let current: [String: JSONValue]

  static func capName(_ row: Int, _ part: String) -> String { "cap\(row)_\(part)" }

  /// The submitted form.
  init(_ form: Form, replacing limits: AppLimits) {
    (self.form, current) = (form, limits.members)
  }

  /// The form of the current limits.
  init(_ limits: AppLimits) {
    self.init(Form(), replacing: limits)
    self[.quiet] = limits.quiet == nil ? "none" : "own"
    let hours = limits.quiet ?? QuietHours(from: 22 * 60, to: 8 * 60, otherwise: .wait)
    self[.quietFrom] = QuietHours.clock(hours.from)
    self[.quietTo] = QuietHours.clock(hours.to)
    self[.quietElse] = hours.otherwise.rawValue
    for (row, cap) in limits.caps.enumerated() {
      let within = CampaignPeriod(cap.within)
      form.set(Self.capName(row, "most"), String(cap.most))
      form.set(Self.capName(row, "within"), within.amount)
      form.set(Self.capName(row, "unit"), within.unit.rawValue)
    }
    self[.percent] = limits.holdout.map { String($0.percent) } ?? ""
    self[.approval] = limits.approval.rawValue
  }

  subscript(field: Field) -> String {
    get { form[field.rawValue] ?? "" }
    set { form.set(field.rawValue, newValue) }
  }

  var hasQuietHours: Bool { self[.quiet] == "own" }
  var redraws: Bool { !self[.redraw].isEmpty }
  /// The sends that need an approval; `nil` if the form does not have the field.
  var approval: AppLimits.Approval? { AppLimits.Approval(rawValue: self[.approval]) }

  /// The rows of caps that the form shows: up to the last one that is filled in, and one more.
  var capRows: [CapRow] {
    let rows = (0..<FrequencyCap.ruleLimit).map { row in
      CapRow(
        row: row, most: form[Self.capName(row, "most")] ?? "",
        within: CampaignPeriod(
          amount: form[Self.capName(row, "within")] ?? "",
          unit: CampaignPeriod.Unit(rawValue: form[Self.capName(row, "unit")] ?? "") ?? .days))
    }
    let last = rows.lastIndex { !$0.isEmpty } ?? -1
    return Array(rows.prefix(last + 2))
  }

  private var caps: [CapRow] { capRows.filter { !$0.isEmpty } }

  // MARK: The request

  /// The limits of the form, with the members for which the form has no field.
  func limits(version: String) -> JSONValue {
    var limits = current
    limits["version"] = .string(version)
    var quiet = limits["quiet"]?.object ?? [:]
    quiet["from"] = .string(self[.quietFrom])
    quiet["to"] = .string(self[.quietTo])
    quiet["else"] = .string(self[.quietElse])
    limits["quiet"] = hasQuietHours ? .object(quiet) : nil
    limits["caps"] = .array(
      caps.map {
        ["most": .entered($0.most), "within": .string($0.within.iso8601)]
      })
    var holdout = limits["holdout"]?.object ?? [:]
    holdout["since"] = nil
    holdout["percent"] = .entered(self[.percent])
    if redraws { holdout["redraw"] = true }
    limits["holdout"] = self[.percent].isEmpty ? nil : .object(holdout)
    if !self[.approval].isEmpty { limits["approval"] = .string(self[.approval]) }
    return .object(limits)
  }

  /// The mistakes that prevent the limits from being saved.
  var problems: [ComposePreview.Remark] {
    var all: [ComposePreview.Remark] = []
    if hasQuietHours {
      all += QuietHoursForm(from: self[.quietFrom], to: self[.quietTo]).problems(
        from: Field.quietFrom.rawValue, to: Field.quietTo.rawValue)
    }
    for cap in caps {
      func refuse(_ message: String, at part: String) {
        all.append(
          .refusal("Frequency cap \(cap.row + 1): \(message)", at: Self.capName(cap.row, part)))
      }
      if Int(cap.most).map({ (1...FrequencyCap.mostLimit).contains($0) }) != true {
        refuse("enter a number of pushes from 1 to \(FrequencyCap.mostLimit).", at: "most")
      }
      if !cap.within.isAllowed {
        refuse("enter a time from 1 minute to 30 days.", at: "within")
      } else if caps.contains(where: {
        $0.row < cap.row && $0.within.isAllowed && $0.within.seconds == cap.within.seconds
      }) {
        refuse("another cap has the same time. Of two the smaller one would hold.", at: "within")
      }
    }
    if !self[.percent].isEmpty,
      Int(self[.percent]).map({ (1...Holdout.limit).contains($0) }) != true
    {
      all.append(
        .refusal(
          "Holdout: enter a whole number from 1 to \(Holdout.limit), or leave it empty.",
          at: Field.percent.rawValue))
    }
    return all
  }
}

extension LimitsForm.CapRow {
  fileprivate var isEmpty: Bool { most.isEmpty && within.amount.isEmpty }
}
