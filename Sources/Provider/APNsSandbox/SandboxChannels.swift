import FoundationEssentials
import PushPayload

/// The broadcast channels of all apps, and the answers to requests about them.
///
/// Sources: Apple's "Sending channel management requests to APNs" and "Sending broadcast push notification requests
/// to APNs". Apple manages channels at another host than it takes pushes; the paths do not overlap.
struct SandboxChannels {
  /// The most channels of an app.
  static let limit = 10_000
  /// The most apps that the sandbox keeps channels of.
  static let appLimit = 100
  private static let payloadLimit = 5120

  /// The path of a request about channels, with the bundle id in it.
  struct Path: Equatable {
    enum Kind { case channels, all, broadcast }
    var kind: Kind
    var bundleID: String

    /// Parses a path; `nil` if it is not about channels.
    init?(_ path: String) {
      let segments = Array(
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
      guard segments.count == 4 else { return nil }
      switch (segments[0], segments[1], segments[2], segments[3]) {
      case ("1", "apps", let app, "channels"): (kind, bundleID) = (.channels, String(app))
      case ("1", "apps", let app, "all-channels"): (kind, bundleID) = (.all, String(app))
      case ("4", "broadcasts", "apps", let app): (kind, bundleID) = (.broadcast, String(app))
      default: return nil
      }
      if bundleID.isEmpty { return nil }
    }
  }

  /// The message storage policies by app and channel id.
  private var apps: [String: [String: Int64]] = [:]

  init() {}

  /// Performs a request and returns its answer; `now` is in seconds since 1970.
  mutating func answer(
    _ request: SandboxRequest, at path: Path, rules: SandboxRules,
    provider: inout SandboxProvider, ids: inout UUIDGenerator, now: Int64
  ) throws(SandboxRules.Refusal) -> SandboxAnswer {
    if request.hasDuplicate { throw .init(400, "DuplicateHeaders") }
    if let id = request[.requestID], !id.isUUID {
      throw .init(400, "BadMessageId")
    }
    let methods =
      path.kind == .channels ? ["POST", "GET", "DELETE"] : [path.kind == .all ? "GET" : "POST"]
    guard methods.contains(request.method) else { throw .init(405, "MethodNotAllowed") }
    if path.bundleID.hasSuffix(".push-type.liveactivity") { throw .init(400, "TopicDisallowed") }
    try rules.authenticate(
      request, topic: path.bundleID, bundleID: path.bundleID, &provider, now: now)
    var answer = SandboxAnswer(to: request, status: 200, &ids)
    switch (path.kind, request.method) {
    case (.channels, "POST"):
      answer.status = 201
      answer.channelID = try create(request, path.bundleID)
    case (.channels, "GET"):
      let policy = try find(request, path.bundleID).policy
      answer.body = Self.encoded([
        "message-storage-policy": .integer(policy), "push-type": "LiveActivity",
      ])
    case (.channels, _):
      let found = try find(request, path.bundleID)
      apps[path.bundleID]?[found.id] = nil
      answer.status = 204
    case (.all, _):
      let ids = apps[path.bundleID, default: [:]].keys.sorted()
      answer.body = Self.encoded(["channels": .array(ids.map(JSONValue.string))])
    case (.broadcast, _):
      try checkBroadcast(request, try find(request, path.bundleID).policy)
      answer.apnsUniqueID = ids.next()
    }
    return answer
  }

  private mutating func create(
    _ request: SandboxRequest, _ app: String
  ) throws(SandboxRules.Refusal) -> String {
    if request.bodyCount == 0 { throw .init(400, "PayloadEmpty") }
    if request.bodyCount > Self.payloadLimit { throw .init(413, "PayloadTooLarge") }
    guard let json = try? JSONValue(parsing: Data(request.body)), json.object != nil else {
      throw .init(400, "BadRequestPayload")
    }
    guard let policy = json["message-storage-policy"]?.integer, 0...1 ~= policy else {
      throw .init(400, "BadRequestParams")
    }
    guard let type = json["push-type"] else { throw .init(400, "MissingPushType") }
    guard type.string?.lowercased() == "liveactivity" else { throw .init(400, "InvalidPushType") }
    let isFull = apps[app].map { $0.count >= Self.limit } ?? (apps.count >= Self.appLimit)
    if isFull { throw .init(400, "CannotCreateChannelConfig") }
    let id = withUnsafeBytes(of: UUID().uuid) { unsafe Data($0).base64EncodedString() }
    apps[app, default: [:]][id] = policy
    return id
  }

  private func find(
    _ request: SandboxRequest, _ app: String
  ) throws(SandboxRules.Refusal) -> (id: String, policy: Int64) {
    guard let id = request[.channelID], !id.isEmpty else {
      throw .init(400, "MissingChannelId")
    }
    guard Data(base64Encoded: id) != nil else { throw .init(400, "BadChannelId") }
    if let policy = apps[app]?[id] { return (id, policy) }
    if apps.values.contains(where: { $0[id] != nil }) { throw .init(403, "TopicMismatch") }
    throw .init(400, "ChannelNotRegistered")
  }

  private func checkBroadcast(
    _ request: SandboxRequest, _ policy: Int64
  ) throws(SandboxRules.Refusal) {
    guard let type = request[.pushType] else { throw .init(400, "MissingPushType") }
    guard type.lowercased() == "liveactivity" else { throw .init(400, "InvalidPushType") }
    guard let expiration = request[.expiration].flatMap({ Int64($0) }), expiration >= 0,
      policy == 1 || expiration == 0
    else { throw .init(400, "BadExpirationDate") }
    guard let priority = request[.priority], ["10", "5", "1"].contains(priority) else {
      throw .init(400, "BadPriority")
    }
    if request.bodyCount == 0 { throw .init(400, "PayloadEmpty") }
    if request.bodyCount > Self.payloadLimit { throw .init(413, "PayloadTooLarge") }
  }

  private static func encoded(_ json: JSONValue) -> [UInt8] { Array(json.serialized()) }
}

extension SandboxRequest {
  /// The path; `nil` if the request is not about channels.
  var channelPath: SandboxChannels.Path? {
    path.hasPrefix("/3/") ? nil : SandboxChannels.Path(path)
  }
}

extension SandboxAnswer {
  /// Makes an answer with the id of the request, or a new id if the request has no valid one.
  init(to request: SandboxRequest, status: Int, _ ids: inout UUIDGenerator) {
    let isOfChannels = !request.isPush && request.channelPath != nil
    let sent = request[isOfChannels ? .requestID : .apnsID]
    let id = sent.flatMap { $0.isUUID ? $0 : nil } ?? ids.next().uppercased()
    self.init(status: status, apnsID: id, isOfChannels: isOfChannels)
  }
}
