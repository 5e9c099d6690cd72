import PushModel
import PushPayload

/// What the menus of conditions offer: the app's fields and values, audiences and notifications.
struct ConditionChoices: Sendable {
  /// The most attributes and events in the menu of fields.
  static let fieldLimit = 400
  /// The most values that a field suggests at once.
  static let valueLimit = 20
  /// The most fields of a page whose values are suggested before anything is typed.
  private static let suggestingFieldLimit = 4
  private static let sendLimit = 25
  /// The most audiences of a menu.
  static let audienceLimit = 500

  private(set) var attributes: [Filter.Field] = []
  private(set) var events: [Filter.Field] = []
  /// The number of attributes and events that the menu leaves out.
  private(set) var otherFields = 0
  /// Values of the fields that are chosen, by the API's names of the fields.
  private(set) var values: [String: FieldValues] = [:]
  private(set) var audiences: [(id: String, name: String)] = []
  private(set) var sends: [(id: String, name: String)] = []

  /// Reads what the menus of a form offer.
  ///
  /// - Parameters:
  ///   - conditions: The conditions of the form.
  ///   - audience: The audience that is edited, which cannot name itself.
  ///   - request: The request.
  /// - Throws: ``StoreError``.
  init(
    for conditions: AudienceConditions, of audience: Audience? = nil, _ request: PageRequest
  ) async throws(StoreError) {
    let (store, app) = (request.router.store, request.app.id)
    let named = try await store.audienceNames(app: app, limit: Self.audienceLimit)
    let last = try await store.uncountedSends(
      app: app, matching: .withoutTriggered, after: nil, limit: Self.sendLimit)
    try await self.init(
      for: conditions, audiences: named.filter { $0.id != audience?.id },
      sends: last.filter { $0.counts.sent > 0 }, request)
  }

  /// Reads what the menus of a form offer that has read the audiences and the notifications already.
  ///
  /// - Parameters:
  ///   - conditions: The conditions of the form.
  ///   - named: The audiences to choose from.
  ///   - last: The notifications whose receivers can be chosen.
  ///   - request: The request.
  /// - Throws: ``StoreError``.
  init(
    for conditions: AudienceConditions, audiences named: [AudienceName], sends last: [Send],
    _ request: PageRequest
  ) async throws(StoreError) {
    let (audiences, store, app) = (request.router.audiences, request.router.store, request.app.id)
    let own = try await audiences.ownFields(app: app)
      .map { (field: $0, title: $0.title.lowercased()) }.sorted { $0.title < $1.title }
      .map(\.field)
    otherFields = max(0, own.count - Self.fieldLimit)
    for field in own.prefix(Self.fieldLimit) {
      if case .event = field { events.append(field) } else { attributes.append(field) }
    }
    for (index, field) in conditions.fieldsWithValues.enumerated() {
      // The others are looked for when something is typed.
      values[field.apiName] =
        index < Self.suggestingFieldLimit
        ? try await audiences.values(of: field, limit: Self.valueLimit, app: app)
        : FieldValues(isWhole: false)
    }
    self.audiences = named.map { ($0.id, $0.name ?? $0.id) }
    sends = last.map { ($0.id, $0.summary) }
    for id in conditions.sends where !sends.contains(where: { $0.id == id }) {
      sends.append((id, try await Self.name(ofSend: id, app: app, store)))
    }
  }

  /// The name of a notification or a campaign; its identifier if the app no longer has it.
  static func name(
    ofSend id: String, app: String, _ store: any PushStore
  ) async throws(StoreError) -> String {
    if let send = try await store.send(id, app: app) { return send.summary }
    return try await store.campaign(id, app: app)?.name ?? id
  }
}

extension AudienceConditions {
  /// The fields of texts and versions that are chosen, each once.
  fileprivate var fieldsWithValues: [Filter.Field] {
    var found: [Filter.Field] = []
    for row in allRows {
      guard let field = row.parsedField, [.string, .version].contains(field.kind),
        ![.builtIn(.userID), .builtIn(.userEmail), .builtIn(.deviceID)].contains(field),
        !found.contains(field)
      else { continue }
      found.append(field)
    }
    return found
  }

  /// The rows of all devices and of all groups.
  var allRows: [ConditionRow] {
    rows
      + (any + except).flatMap { group in
        if case .conditions(let rows) = group { rows } else { [ConditionRow]() }
      }
  }

  fileprivate var sends: [String] {
    (any + except).compactMap { group in
      if case .received(let send, _) = group, !send.isEmpty { send } else { nil }
    }
  }
}
