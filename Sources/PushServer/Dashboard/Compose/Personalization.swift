import Liquid
import PushPayload
import PushStore

/// The names that the texts of a notification read from devices, and what is wrong with them.
struct Personalization: Sendable {
  /// The names beside `custom` that templates have; `docs/liquid.md` says what they are.
  static let names = [
    "device_id", "user_id", "user_email", "email", "platform", "locale", "language", "time_zone",
    "app_version", "os_version", "badge", "tags", "event",
  ]
  private static let customName = "custom"

  /// A name in a text.
  private struct Use: Sendable {
    /// The JSON path of the text in the request.
    var path: String
    var reference: Template.Reference

    /// The attribute that is read; `nil` for another name.
    var attribute: String? {
      reference.path.first == customName && reference.path.count > 1 ? reference.path[1] : nil
    }
  }

  private var uses: [Use] = []

  /// Reads every text of a payload; one that is not valid has no names, since the API refuses it.
  ///
  /// `path` is the JSON path of the payload in the request.
  init(_ payload: JSONValue, at path: String) { read(payload, at: path) }

  private mutating func read(_ value: JSONValue, at path: String) {
    switch value {
    case .string(let text):
      guard text.contains("{{") || text.contains("{%"), let template = try? Template(text) else {
        return
      }
      uses += template.references.map { Use(path: path, reference: $0) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { read(element, at: "\(path)[\(index)]") }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        read(member, at: "\(path).\(name)")
      }
    default: break
    }
  }

  /// The attributes that the texts read.
  var attributes: Set<String> { Set(uses.compactMap(\.attribute)) }

  var isEmpty: Bool { uses.isEmpty }

  // MARK: What is wrong

  /// Returns the warnings about names that no device has, and about devices for which nothing would be written.
  ///
  /// `known` are the attributes that devices of the app have, `counts` says how many devices of the audience have each of
  /// ``attributes``, and `total` how many there are: 0 where no audience is chosen.
  func remarks(
    known: [String], counts: [String: Int], total: Int, in form: ComposeForm
  ) -> [ComposePreview.Remark] {
    uses.compactMap { use in
      guard let (message, advice) = problem(of: use, known: known, counts: counts, total: total)
      else { return nil }
      return ComposePreview.Remark(warning: message, advice: advice, path: use.path, in: form)
    }
  }

  private func problem(
    of use: Use, known: [String], counts: [String: Int], total: Int
  ) -> (message: String, advice: String?)? {
    guard let root = use.reference.path.first else { return nil }
    guard root == Self.customName else {
      guard !Self.names.contains(root) else { return nil }
      // A name without `custom.` before it is the most frequent mistake.
      let all = known.contains(root) ? [root] : known
      let near = NearestName.find(root, among: all).map { "\(Self.customName).\($0)" }
      return (
        "“\(root)” is no name that texts know, and nothing is written in its place.",
        Self.suggestion(near ?? NearestName.find(root, among: Self.names + [Self.customName]))
      )
    }
    guard let name = use.attribute else { return nil }
    guard known.contains(name) else {
      return (
        "No device has the attribute “\(name)”, so nothing is written in its place.",
        Self.suggestion(
          NearestName.find(name, among: known).map { "\(Self.customName).\($0)" })
      )
    }
    let missing = total - (counts[name] ?? 0)
    guard use.reference.needsDefault, total > 0, missing > 0 else { return nil }
    let devices = AudienceReach.devices(missing)
    return (
      "\(devices) of \(total) in the audience \(missing == 1 ? "has" : "have") no “\(name)”, and nothing is written in its place.",
      "Write {{ \(Self.customName).\(name) | default: \"…\" }} with what they get."
    )
  }

  private static func suggestion(_ name: String?) -> String? {
    name.map { "Did you mean {{ \($0) }}?" }
  }
}

extension Personalization {
  /// The warnings about the texts of a form for an audience; `members` are its devices, `nil` where none is chosen.
  static func remarks(
    on payload: BodyValue, of form: ComposeForm, members: DeviceNumbers?, _ request: PageRequest
  ) async throws(StoreError) -> [ComposePreview.Remark] {
    let texts = Personalization(payload.value, at: payload.path)
    guard !texts.isEmpty else { return [] }
    let (audiences, app) = (request.api.audiences, request.app.id)
    let known = try await audiences.attributes(app: app).compactMap(\.attributeName)
    var counts: [String: Int] = [:]
    if let members {
      counts = try await audiences.counts(having: texts.attributes, among: members, app: app)
    }
    return texts.remarks(known: known, counts: counts, total: members?.count ?? 0, in: form)
  }
}

extension Filter.Field {
  /// The name of the attribute; `nil` for another field.
  var attributeName: String? {
    if case .attribute(_, let name) = self { name } else { nil }
  }
}
