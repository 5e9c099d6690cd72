import PushPayload

/// A caller's payload, read: what is the same for all, and the shape of the whole.
struct PayloadDraft {
  let content: PushContent
  let shape: PayloadShape
  /// Whether a text shows.
  let hasText: Bool
  let badge: PayloadShape?
  /// What the caller wants to become of a payload that is too large.
  let overflow: Composer.Overflow?

  init(_ field: BodyValue, notification id: String) throws(ComposeError) {
    let texts = try Self.texts(field)
    badge = try Self.badge(field)
    overflow = try Self.overflow(field)
    do throws(APIError) {
      guard try !field.object().isEmpty else { throw .refused(field.path, "is empty") }
      content = try PushContent(fixed: field, showsMore: !texts.isEmpty || badge != nil)
    } catch {
      throw ComposeError(error)
    }
    hasText = !texts.isEmpty

    var aps = content.payload.json["aps"]?.object?.mapValues(PayloadShape.fixed) ?? [:]
    if texts.count == 1, let body = texts["body"] {
      aps["alert"] = body
    } else if !texts.isEmpty {
      aps["alert"] = .object(texts)
    }
    if let badge { aps["badge"] = badge }
    var members: [String: PayloadShape] = [:]
    for (name, value) in content.payload.custom {
      members[name] = try PayloadShape(custom: field.member(name, value))
    }
    members["aps"] = .object(aps)
    members["_nid"] = .fixed(.string(id))
    shape = .object(members)
  }

  /// The members of `aps.alert`.
  private static func texts(_ field: BodyValue) throws(ComposeError) -> [String: PayloadShape] {
    let keys: [(name: String, member: String, prefix: String, role: PayloadShape.Role)] = [
      ("alert", "body", "", .body), ("title", "title", "title-", .title),
      ("subtitle", "subtitle", "subtitle-", .subtitle),
    ]
    var texts: [String: PayloadShape] = [:]
    if let alert = field["alert"], AppleAlert.isForm(alert) {
      texts = try AppleAlert.texts(alert)
    }
    for key in keys {
      guard let text = field[key.name] else { continue }
      if key.name == "alert", AppleAlert.isForm(text) { continue }
      guard texts[key.member] == nil, texts[key.prefix + "loc-key"] == nil else {
        throw ComposeError(.refused, "\(text.path) stands in alert already", at: text.path)
      }
      guard let name = text["loc-key"] else {
        texts[key.member] = .text(try DeviceText(text), key.role)
        continue
      }
      // The app's own strings: the phone looks the key up.
      do throws(APIError) {
        texts[key.prefix + "loc-key"] = .fixed(.string(try name.string()))
      } catch {
        throw ComposeError(error)
      }
      if let arguments = text["loc-args"] {
        texts[key.prefix + "loc-args"] = .array(try Self.arguments(arguments))
      }
      if let other = text.value.object?.keys.sorted().first(where: {
        $0 != "loc-key" && $0 != "loc-args"
      }) {
        throw ComposeError(
          .refused, "\(text.path(to: other)) does not belong beside loc-key and loc-args",
          at: text.path(to: other))
      }
    }
    return texts
  }

  static func arguments(_ field: BodyValue) throws(ComposeError) -> [PayloadShape] {
    let elements: [BodyValue]
    do throws(APIError) { elements = try field.elements() } catch { throw ComposeError(error) }
    var shapes: [PayloadShape] = []
    for element in elements { shapes.append(.text(try DeviceText(element), .other)) }
    return shapes
  }

  private static func overflow(_ field: BodyValue) throws(ComposeError) -> Composer.Overflow? {
    guard let overflow = field["_overflow"] else { return nil }
    let word: String
    do throws(APIError) { word = try overflow.string() } catch { throw ComposeError(error) }
    guard let known = Composer.Overflow(rawValue: word) else {
      let words = Composer.Overflow.allCases.map(\.rawValue).joined(separator: ", ")
      throw ComposeError(.refused, "\(overflow.path) must be one of \(words)", at: overflow.path)
    }
    return known
  }

  /// A number, or `"+1"` and the like: the device's own number and so many more.
  private static func badge(_ field: BodyValue) throws(ComposeError) -> PayloadShape? {
    guard let badge = field["badge"] else { return nil }
    if let text = badge.value.string {
      guard let sign = text.first, sign == "+" || sign == "-", text.utf8.count <= 10,
        text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
      else {
        throw ComposeError(
          .wrongType, "\(badge.path) must be a whole number, or a step such as \"+1\"",
          at: badge.path)
      }
      return .badge(adding: number)
    }
    do throws(APIError) {
      return .fixed(.integer(try badge.integer(in: 0...Int64(Int32.max))))
    } catch {
      throw ComposeError(error)
    }
  }
}
