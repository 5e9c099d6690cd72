import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// `/limits`: the limits that apply to all campaigns of an app.
enum LimitRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/limits", access: .app([.push]), operation: .readLimits,
      handler: { call, api in answer(try await api.store.limits(app: call.app())) }),
    Route(
      "PUT", "/v6/limits", access: .app([.admin]), body: "application/json",
      operation: .updateLimits,
      handler: { call, api in answer(try await replace(call, api)) }),
  ]

  /// Replaces the limits of an app; a limit that the body does not name ends, except for `approval`.
  ///
  /// With `version`, the limits are replaced only if they are still those that the caller has read.
  static func replace(_ call: Call, _ api: API) async throws -> AppLimits {
    let app = try call.app()
    let field = try call.json().required("limits")
    _ = try field.object()
    let old = try await api.store.limits(app: app)
    var limits = AppLimits()
    if let given = field["holdout"] {
      let percent = Int(try given.required("percent").integer(in: 1...Int64(Holdout.limit)))
      let redraws = try given["redraw"]?.bool() ?? false
      // With the same salt, a larger share includes the people of the smaller one.
      limits.holdout = Holdout(
        percent: percent, salt: Identifiers.makeObjectID(), since: api.clock.now())
      if !redraws, let old = old.holdout {
        limits.holdout = Holdout(percent: percent, salt: old.salt, since: old.since)
      }
    }
    limits.quiet = try field["quiet"].map { value throws(RequestError) in try QuietHours(value) }
    limits.caps =
      try field["caps"].map { value throws(RequestError) in try FrequencyCap.rules(value) } ?? []
    // A client that does not know the member must not end it.
    limits.approval =
      try field["approval"].map { value throws(RequestError) in
        let word = try value.word(of: AppLimits.Approval.allCases.map(\.rawValue))
        return AppLimits.Approval(rawValue: word) ?? old.approval
      } ?? old.approval
    let version = try field["version"].map { value throws(RequestError) in try value.string() }
    guard version.map({ $0 == old.version }) ?? true else {
      throw RequestError(.conflict, "the limits were changed meanwhile; read them again")
    }
    try await api.actions.store(for: call.actor, "limits.update", app)
      .setLimits(limits, app: app, replacing: version == nil ? nil : old)
    return limits
  }

  private static func answer(_ limits: AppLimits) -> HTTPResponse {
    .json(["limits": .object(limits.members)])
  }
}

extension AppLimits {
  /// The members of the limits in an answer.
  var members: [String: JSONValue] {
    let holdout: JSONValue? = holdout.map { holdout in
      ["percent": .integer(Int64(holdout.percent)), "since": .string(holdout.since.iso8601)]
    }
    return [
      "holdout": holdout ?? .null, "quiet": quiet?.json ?? .null,
      "caps": .array(caps.map(\.json)), "approval": .string(approval.rawValue),
      "version": .string(version),
    ]
  }

  /// A hash of the limits, which differs if any of them differs.
  var version: String {
    let quiet = quiet.map { String(decoding: $0.json.serialized(), as: UTF8.self) } ?? ""
    // Older nodes do not know the approval of every send. With their words both compute the same hash.
    let words: [Approval: String] = [.none: "false", .required: "true"]
    var texts: [String] = [quiet, words[approval] ?? approval.rawValue] + caps.map(\.text)
    if let holdout { texts += ["\(holdout.percent)", holdout.salt] }
    let bytes = texts.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }
    return Identifiers.hex(Array(OpenSSLCrypto.sha256(bytes).prefix(8)))
  }
}
