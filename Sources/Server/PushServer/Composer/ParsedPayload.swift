import PushPayload

/// A checked payload of a caller: its headers, its shared content, and the whole template.
struct ParsedPayload {
  let content: SharedContent
  let template: PayloadTemplate
  /// Whether the notification shows a text.
  let hasText: Bool
  let badge: PayloadTemplate?
  /// The value of the caller's `_overflow`.
  let overflow: Composer.Overflow?

  init(_ field: BodyValue, notification id: String) throws(ComposeError) {
    let caller: CallerPayload
    do throws(RequestError) {
      guard try !field.object().isEmpty else { throw .refused(field.path, "must not be empty") }
      caller = try CallerPayload(field)
    } catch {
      throw ComposeError(error)
    }
    let texts = try Self.texts(caller)
    badge = try caller["badge"].map { value throws(ComposeError) in try Self.badge(value) }
    overflow = try Self.overflow(field)
    do throws(RequestError) {
      content = try SharedContent(caller, hasTextOrBadge: !texts.isEmpty || badge != nil)
    } catch {
      throw ComposeError(error)
    }
    hasText = !texts.isEmpty

    var aps = content.payload.json["aps"]?.object?.mapValues(PayloadTemplate.fixed) ?? [:]
    if texts.count == 1, let body = texts["body"] {
      aps["alert"] = body
    } else if !texts.isEmpty {
      aps["alert"] = .object(texts)
    }
    if let badge { aps["badge"] = badge }
    var members: [String: PayloadTemplate] = [:]
    for (name, value) in content.payload.custom {
      members[name] = try PayloadTemplate(custom: field.member(name, value))
    }
    members["aps"] = .object(aps)
    members["_nid"] = .fixed(.string(id))
    template = .object(members)
  }

  /// Reads the members of `aps.alert`.
  private static func texts(
    _ caller: CallerPayload
  ) throws(ComposeError) -> [String: PayloadTemplate] {
    let keys: [(name: String, member: String, prefix: String, role: PayloadTemplate.Role)] = [
      ("alert", "body", "", .body), ("title", "title", "title-", .title),
      ("subtitle", "subtitle", "subtitle-", .subtitle),
    ]
    var texts: [String: PayloadTemplate] = [:]
    if let alert = caller["alert"], AppleAlert.isForm(alert) {
      texts = try AppleAlert.texts(alert)
    }
    for key in keys {
      guard let text = caller[key.name] else { continue }
      if key.name == "alert", AppleAlert.isForm(text) { continue }
      guard texts[key.member] == nil, texts[key.prefix + "loc-key"] == nil else {
        throw ComposeError(
          .refused, "\(text.path) is already in alert; give it once", at: text.path)
      }
      guard let name = text["loc-key"] ?? text["loc_key"] else {
        texts[key.member] = .text(try PersonalizedText(text), key.role)
        continue
      }
      // The device looks up the key in the app's own strings.
      do throws(RequestError) {
        texts[key.prefix + "loc-key"] = .fixed(.string(try name.string()))
      } catch {
        throw ComposeError(error)
      }
      if let arguments = text["loc-args"] ?? text["loc_args"] {
        texts[key.prefix + "loc-args"] = .array(try Self.arguments(arguments))
      }
      var names: Set = ["loc-key", "loc-args"]
      for other in text.value.object?.keys.sorted() ?? []
      where names.remove(AppleAlert.apple(other)) == nil {
        throw ComposeError(
          .refused, "\(text.path(to: other)) cannot stand beside loc-key and loc-args",
          at: text.path(to: other))
      }
    }
    return texts
  }

  static func arguments(_ field: BodyValue) throws(ComposeError) -> [PayloadTemplate] {
    let elements: [BodyValue]
    do throws(RequestError) { elements = try field.elements() } catch { throw ComposeError(error) }
    var templates: [PayloadTemplate] = []
    for element in elements { templates.append(.text(try PersonalizedText(element), .other)) }
    return templates
  }

  private static func overflow(_ field: BodyValue) throws(ComposeError) -> Composer.Overflow? {
    guard let overflow = field["_overflow"] else { return nil }
    let word: String
    do throws(RequestError) { word = try overflow.string() } catch { throw ComposeError(error) }
    guard let known = Composer.Overflow(rawValue: word) else {
      let words = Composer.Overflow.allCases.map(\.rawValue).joined(separator: ", ")
      throw ComposeError(.refused, "\(overflow.path) must be one of \(words)", at: overflow.path)
    }
    return known
  }

  /// Reads a number, or an increment of the device's badge such as `"+1"`.
  private static func badge(_ badge: BodyValue) throws(ComposeError) -> PayloadTemplate {
    if let text = badge.value.string {
      guard let sign = text.first, sign == "+" || sign == "-", text.utf8.count <= 10,
        text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
      else {
        throw ComposeError(
          .wrongType, "\(badge.path) must be a whole number, or an increment such as \"+1\"",
          at: badge.path)
      }
      return .badge(adding: number)
    }
    do throws(RequestError) {
      return .fixed(.integer(try badge.integer(in: 0...Int64(Int32.max))))
    } catch {
      throw ComposeError(error)
    }
  }
}
