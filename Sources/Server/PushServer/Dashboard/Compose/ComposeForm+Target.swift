import PushModel
import PushPayload

/// The target of the form: the chosen audience, others beside it, and those that are left out.
extension ComposeForm {
  /// The field of the audiences that are included beside the chosen one.
  static let alsoField = "also"
  /// The field of the audiences that are left out.
  static let exceptField = "except"
  /// The field of the notification whose receivers are left out.
  static let receivedField = "received"

  /// The choice of conditions that the form has itself, in place of an audience.
  static let conditionsChoice = "conditions"

  private static let unopenedMark = "unopened:"

  /// The choice of the devices that received a notification and did not open it.
  static func unopened(_ send: String) -> String { unopenedMark + send }

  /// The notification that the chosen devices received but did not open; `nil` if an audience is chosen.
  var unopenedSend: String? {
    self[.to].hasPrefix(Self.unopenedMark)
      ? String(self[.to].dropFirst(Self.unopenedMark.count)) : nil
  }

  /// Whether the target is all devices, rather than an audience.
  var isForEveryone: Bool { self[.to] == "*" }

  var included: [String] { form.all(Self.alsoField).filter { !$0.isEmpty && $0 != self[.to] } }
  var leftOut: [String] { form.all(Self.exceptField).filter { !$0.isEmpty } }
  var leftOutReceivers: String? { form[Self.receivedField] }

  /// Whether the target is the conditions of the form.
  var hasConditions: Bool { self[.to] == Self.conditionsChoice }
  var conditions: AudienceConditions { AudienceConditions(form) }

  /// The mistakes in the conditions; one without any would be sent to everyone.
  var conditionProblems: [ComposePreview.Remark] {
    guard hasConditions else { return [] }
    guard !conditions.isEmpty else {
      return [ComposePreview.Remark(refusing: "Choose who gets it: add a condition.")]
    }
    return conditions.problems.map { .init(refusing: "Audience, \($0.message)") }
  }

  /// Makes a change of the conditions, and returns the identifier of the element that gets the focus.
  mutating func apply(_ change: ConditionChange) -> String? {
    var changed = conditions
    let focus = changed.apply(change)
    set(changed)
    return focus
  }

  /// Replaces the fields of the conditions.
  mutating func set(_ conditions: AudienceConditions) {
    removeFields { $0.hasPrefix(AudienceConditions.prefix + "_") }
    for field in conditions.fields { append(field.name, field.value) }
  }

  /// Whether the target combines several audiences or notifications.
  var isRefined: Bool {
    !hasConditions
      && (!included.isEmpty || !leftOut.isEmpty || leftOutReceivers != nil || unopenedSend != nil)
  }

  /// The `to` of the API request.
  var target: JSONValue {
    let chosen = self[.to]
    guard !chosen.isEmpty else { return .null }
    if hasConditions {
      return conditionProblems.isEmpty ? (try? conditions.target()) ?? .null : .null
    }
    guard isRefined else { return .string(chosen) }
    var members: [String: JSONValue] = [:]
    if !isForEveryone {
      let own: JSONValue =
        unopenedSend.map { ["received": .string($0), "opened": false] } ?? .string(chosen)
      members["any"] = .array([own] + included.map(JSONValue.string))
    }
    var except = leftOut.map(JSONValue.string)
    if let send = leftOutReceivers { except.append(["received": .string(send)]) }
    if !except.isEmpty { members["except"] = .array(except) }
    return members.isEmpty ? .string(chosen) : .object(members)
  }

  /// The audience that the form is sent to; `nil` if no audience is chosen, or if one that the target names
  /// was deleted.
  func audience(_ request: PageRequest) async throws -> Audience? {
    guard !self[.to].isEmpty else { return nil }
    do {
      return try await Target(BodyValue(target))
        .audience(app: request.app.id, at: request.now, request.router.store)
    } catch is RequestError {
      return nil
    }
  }

  /// The name of the audience in the review.
  func audienceInWords(_ request: PageRequest) async throws -> String {
    let (store, app) = (request.router.store, request.app)
    func name(_ id: String) async throws -> String {
      "“\(try await store.audience(id, app: app.id)?.name ?? "Filters")”"
    }
    if hasConditions {
      guard let audience = try await audience(request) else { return "Conditions" }
      return try await audience.words(in: app.id, store)
    }
    var words = "All devices of \(app.name)"
    if let send = unopenedSend {
      let summary = try await store.send(send, app: app.id)?.summary ?? send
      words = "Devices that received “\(summary)” and did not open it"
    } else if !isForEveryone {
      words = try await name(self[.to])
    }
    if !isForEveryone {
      for id in included { words += " or \(try await name(id))" }
    }
    var left: [String] = []
    for id in leftOut { left.append(try await name(id)) }
    if let send = leftOutReceivers {
      left.append("who received “\(try await store.send(send, app: app.id)?.summary ?? send)”")
    }
    return left.isEmpty ? words : "\(words), without \(left.joined(separator: " and "))"
  }
}

extension ComposePreview.Remark {
  /// A refusal of the audience.
  fileprivate init(refusing message: String) {
    self.init(field: .to, severity: ComposePreview.refusal, message: message)
  }
}
