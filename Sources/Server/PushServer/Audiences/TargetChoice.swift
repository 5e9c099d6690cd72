import PushModel
import PushPayload

/// The target `{"all": […], "any": […], "except": […]}`, each member of which is optional.
struct TargetChoice: Sendable {
  /// The filters, all of which match.
  var filters: [Filter] = []
  /// The parts; a device must be in at least one of them.
  var any = TargetParts()
  /// The parts whose devices are left out.
  var except = TargetParts()

  private static let members = ["all", "any", "except"]

  /// Whether a target has a member of a choice; `null` counts as absent.
  static func isOne(_ target: [String: JSONValue]) -> Bool {
    Self.members.contains { target[$0] ?? .null != .null }
  }

  init(_ field: BodyValue) throws(RequestError) {
    let known = Set(Self.members)
    let given = try field.object().keys.filter { field[$0] != nil }
    if let unknown = given.sorted().first(where: { !known.contains($0) }) {
      throw .unknown(field.path(to: unknown), unknown, knows: known)
    }
    if let all = field["all"] {
      // Without filters all devices match, as if the member were absent.
      filters = try all.elements().isEmpty ? [] : Target.filters(all)
    }
    if let any = field["any"] {
      self.any = try TargetParts(any)
      guard !self.any.elements.isEmpty else {
        throw .refused(any.path, "must have at least one element; leave it out for every device")
      }
    }
    if let except = field["except"] { self.except = try TargetParts(except) }
  }
}

/// The elements of `any` or `except`: an audience's id, a list of filters, or
/// `{"received": ID, "opened": false}`.
struct TargetParts: Sendable {
  /// The largest number of elements.
  static let limit = 20

  var elements: [(part: Audience.Part, path: String)] = []

  init() {}

  init(_ field: BodyValue) throws(RequestError) {
    let fields = try field.elements()
    guard fields.count <= Self.limit else {
      throw .refused(field.path, "must have at most \(Self.limit) elements")
    }
    for field in fields { elements.append((try Self.part(field), field.path)) }
  }

  private static func part(_ field: BodyValue) throws(RequestError) -> Audience.Part {
    switch field.value {
    case .string(let id): return .audience(id)
    case .array: return .filters(try Target.filters(field))
    case .object(let members):
      let known: Set = ["received", "opened"]
      if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
        throw .unknown(field.path(to: unknown), unknown, knows: known)
      }
      return .received(
        send: try field.required("received").string(), opened: try field["opened"]?.bool())
    default:
      throw .wrongType(
        field,
        expected: "an audience's id, a list of filters or {\"received\": ID, \"opened\": false}")
    }
  }

  /// The parts, if everything that they name exists.
  ///
  /// - Throws: ``RequestError`` `.notFound` for the first name that does not exist.
  func parts(app: String, _ store: any PushStore) async throws -> [Audience.Part] {
    for (part, path) in elements {
      switch part {
      case .filters: break
      case .audience(let id):
        _ = try await store.requiredAudience(id, app: app, at: path)
      case .received(let id, _):
        guard try await store.hasSent(id, app: app) else {
          throw RequestError(
            .notFound, "\(path) names no notification or campaign of this app", at: path)
        }
      }
    }
    return elements.map(\.part)
  }
}

extension PushStore {
  /// Whether an app has a notification, a run or a campaign with an id.
  fileprivate func hasSent(_ id: String, app: String) async throws -> Bool {
    if try await send(id, app: app) != nil { return true }
    if try await run(id, app: app) != nil { return true }
    return try await campaign(id, app: app) != nil
  }
}
