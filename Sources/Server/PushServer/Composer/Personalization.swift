import Liquid
import PushModel
import PushPayload

/// The names that the texts of a notification read from devices, and the problems with them.
struct Personalization: Sendable {
  /// The names beside `custom` that templates can use; `docs/server/liquid.md` explains them.
  static let names = [
    "device_id", "user_id", "user_email", "email", "platform", "locale", "language", "time_zone",
    "app_version", "os_version", "badge", "tags", "event",
  ]
  private static let customName = "custom"

  /// A problem with a name in a text; it does not prevent the send.
  struct Problem: Hashable, Sendable {
    enum Code: String, Sendable {
      /// Texts cannot use this name.
      case unknownName = "unknown-name"
      /// No device has this attribute.
      case unknownAttribute = "unknown-attribute"
      /// Some devices do not have the attribute, and the text has no default for them.
      case missingDefault = "missing-default"
    }

    var code: Code
    /// The JSON path of the text in the request.
    var path: String
    var message: String
    var advice: String?
  }

  /// A name in a text.
  private struct Use: Sendable {
    var path: String
    var reference: Template.Reference

    /// The attribute that is read; `nil` if the name is not that of an attribute.
    var attribute: String? {
      reference.path.first == customName && reference.path.count > 1 ? reference.path[1] : nil
    }
  }

  private var uses: [Use] = []

  /// Reads every text of a payload; an invalid one adds no names, because the API refuses it.
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

  /// The expression of an attribute in templates: `custom.plan`, or `custom["größe"]` if the name is not an identifier.
  static func expression(attribute name: String) -> String {
    let bytes = name.utf8
    let isIdentifier =
      bytes.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      && bytes.first.map(isLetter) == true
    return isIdentifier ? "\(customName).\(name)" : "\(customName)[\"\(name)\"]"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }

  // MARK: Problems

  /// Returns the names that no device has, and those without a value or default on some devices.
  ///
  /// `known` are the attributes that devices of the app have. `counts` has the number of the audience's devices with
  /// each of ``attributes``, and `total` the number of its devices, which is 0 if no audience is chosen.
  func problems(known: [String], counts: [String: Int], total: Int) -> [Problem] {
    uses.compactMap { use in
      guard let root = use.reference.path.first else { return nil }
      guard root == Self.customName else {
        guard !Self.names.contains(root) else { return nil }
        return Problem(
          code: .unknownName, path: use.path,
          message:
            "“\(root)” is not a name that texts can use, so nothing is written in its place.",
          advice: Self.suggestion(Self.nearest(to: use.reference.path, known: known)))
      }
      guard let name = use.attribute else { return nil }
      guard known.contains(name) else {
        return Problem(
          code: .unknownAttribute, path: use.path,
          message: "No device has the attribute “\(name)”, so nothing is written in its place.",
          advice: Self.suggestion(
            NearestName.find(name, among: known).map(Self.expression(attribute:))))
      }
      let missing = total - (counts[name] ?? 0)
      guard use.reference.needsDefault, total > 0, missing > 0 else { return nil }
      let devices = missing == 1 ? "1 device" : "\(missing) devices"
      return Problem(
        code: .missingDefault, path: use.path,
        message:
          "\(devices) of \(total) in the audience \(missing == 1 ? "has" : "have") no “\(name)”, and nothing is written in its place.",
        advice:
          "Write {{ \(Self.expression(attribute: name)) | default: \"…\" }} with what they get.")
    }
  }

  /// The name that an unknown name most likely stands for.
  ///
  /// The most frequent mistakes are an attribute without `custom`, as in `{{ first_name }}`, and the object of another
  /// vendor before it, as in `{{ customer.first_name }}`.
  private static func nearest(to path: [String], known: [String]) -> String? {
    for name in path.prefix(2) where known.contains(name) { return expression(attribute: name) }
    if path.count == 1, let near = NearestName.find(path[0], among: known) {
      return expression(attribute: near)
    }
    let near = NearestName.find(path[0], among: names + [customName])
    return near == customName && path.count > 1 ? expression(attribute: path[1]) : near
  }

  private static func suggestion(_ name: String?) -> String? {
    name.map { "Did you mean {{ \($0) }}?" }
  }
}

extension Audiences {
  /// The problems with the names in texts, for the members of an audience; `members` is `nil` if no audience is chosen.
  func problems(
    of texts: Personalization, members: DeviceNumbers?, app: String
  ) async throws(StoreError) -> [Personalization.Problem] {
    guard !texts.isEmpty else { return [] }
    let known = try await attributes(app: app).compactMap(\.attributeName)
    var counts: [String: Int] = [:]
    if let members {
      counts = try await self.counts(having: texts.attributes, among: members, app: app)
    }
    return texts.problems(known: known, counts: counts, total: members?.count ?? 0)
  }
}

extension Filter.Field {
  /// The name of the attribute; `nil` if the field is not an attribute.
  var attributeName: String? {
    if case .attribute(_, let name) = self { name } else { nil }
  }
}
