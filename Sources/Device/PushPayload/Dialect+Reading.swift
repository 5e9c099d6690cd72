extension Dialect {
  /// Reads a payload that is written in this dialect.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: The payload's request; `nil` if it matches neither ``signature`` nor ``sharedSignature``.
  public func read(_ payload: JSONValue) -> PayloadRequest? {
    signature.matches(payload) || sharedSignature.matches(payload) ? request(of: payload) : nil
  }

  /// Reads a payload's request, whether or not the payload belongs to this dialect.
  func request(of payload: JSONValue) -> PayloadRequest {
    var reader = PayloadReader()
    let scopes = roots.flatMap { reader.scopes(at: $0, of: payload) }
    var request = PayloadRequest(dialect: id)
    let rules = media.filter { $0.condition.allows(payload) }
    request.media =
      attachesAllKinds
      ? rules.flatMap { reader.media([$0], in: scopes) } : reader.media(rules, in: scopes)
    if trimsURLs { request.media = request.media.map(\.trimmed) }
    request.alternativeText = reader.text(at: alternativeText, in: scopes)?.result
    if textCondition.allows(payload) {
      readTexts(of: payload, in: scopes, by: &reader, into: &request)
    }
    request.textNeedsMedia = textNeedsMedia
    request.buttons = reader.buttons(
      buttons.filter { $0.condition.allows(payload) }, in: scopes)
    request.buttonsBesideCategory = buttonsBesideCategory
    request.category = reader.text(at: category, in: scopes)?.result
    let links = deepLink.filter { $0.condition.allows(payload) }.map(\.path)
    request.deepLink = reader.text(at: links, in: scopes)?.result
    request.messageID = reader.identifier(at: messageID, in: scopes)
    request.badge = reader.badge(
      badge.filter { $0.condition.allows(payload) }, in: scopes)
    request.findings = reader.findings
    return request
  }

  private func readTexts(
    of payload: JSONValue, in scopes: [Scope], by reader: inout PayloadReader,
    into request: inout PayloadRequest
  ) {
    if replacesTitle || !payload.hasAlertTitle {
      let text = reader.text(at: title, in: scopes)
      (request.title, request.titlePath) = (text?.result, text?.value.path)
    }
    let subtitle = reader.text(at: subtitle, in: scopes)
    (request.subtitle, request.subtitlePath) = (subtitle?.result, subtitle?.value.path)
    let body = reader.text(at: body, in: scopes)
    (request.body, request.bodyPath) = (body?.result, body?.value.path)
  }
}

extension RichMedia {
  /// The same files, without spaces around their URLs.
  fileprivate var trimmed: RichMedia {
    var media = self
    media.wanted.url = Self.trimmed(wanted.url)
    for index in media.alternatives.indices {
      media.alternatives[index].url = Self.trimmed(media.alternatives[index].url)
    }
    return media
  }

  private static func trimmed(_ url: String) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    let start = url.drop(while: isSpace)
    return String(start.reversed().drop(while: isSpace).reversed())
  }
}

extension JSONValue {
  /// Whether the alert of a payload has a title, literal or localized.
  fileprivate var hasAlertTitle: Bool {
    let alert = self["aps"]?["alert"]
    return [alert?["title"], alert?["title-loc-key"]].contains { $0?.string?.isEmpty == false }
  }
}

extension PayloadReader {
  /// The objects at a root of a dialect.
  ///
  /// A value of another type there belongs to something else, so it is not reported.
  fileprivate func scopes(at root: PayloadPath, of payload: JSONValue) -> [Scope] {
    let top = PayloadValue(json: payload)
    if root.steps.isEmpty { return [Scope(top: top)] }
    var silent = self
    return silent.values(at: root, in: Scope(top: top), limit: 1)
      .filter { $0.json.object != nil }.map { Scope(top: $0) }
  }

  fileprivate mutating func text(
    at paths: [PayloadPath], in scopes: [Scope]
  ) -> (result: String, value: PayloadValue)? {
    for scope in scopes {
      if let text = text(at: paths, in: scope) { return text }
    }
    return nil
  }

  fileprivate mutating func identifier(
    at paths: [PayloadPath], in scopes: [Scope]
  ) -> String? {
    for scope in scopes {
      if let identifier = identifier(at: paths, in: scope) { return identifier }
    }
    return nil
  }

  /// The values at a path, at most `limit`; the first beyond it is reported.
  package mutating func items(
    at path: PayloadPath, in scope: Scope, limit: Int
  ) -> [PayloadValue] {
    let found = values(at: path, in: scope, limit: limit + 1)
    guard found.count > limit else { return found }
    report(found[limit], "exceeds the \(limit) that are read", code: .outOfRange)
    return Array(found.prefix(limit))
  }
}

extension PayloadReader {
  fileprivate mutating func badge(_ rules: [BadgeRule], in scopes: [Scope]) -> BadgeChange? {
    for rule in rules {
      for scope in scopes {
        if let change = badge(rule, in: scope) { return change }
      }
    }
    return nil
  }

  private mutating func badge(_ rule: BadgeRule, in scope: Scope) -> BadgeChange? {
    var operation = rule.operation
    if let strategy = rule.strategy {
      guard let (word, value) = text(at: [strategy], in: scope) else { return nil }
      guard let named = rule.operations[word] else {
        let words = rule.operations.keys.sorted().joined(separator: ", ")
        report(value, "must be one of \(words)", code: .outOfRange)
        return nil
      }
      operation = named
    }
    if operation == .increment { return .add(1) }
    let expected = "a whole number of at most six digits"
    let found = first(at: [rule.value], in: scope, expected: expected) { json in
      (json.integer ?? json.string.flatMap { Int64($0) })
        .flatMap { (-999_999...999_999).contains($0) ? Int($0) : nil }
    }
    guard let number = found?.result ?? rule.defaultAmount else { return nil }
    let value = found?.value
    switch operation.kind {
    case .add, .increment: return number == 0 ? nil : .add(number)
    case .subtract: return number == 0 ? nil : .add(-number)
    case .signed where value?.json.string?.first.map { "+-".contains($0) } ?? (number < 0):
      return .add(number)
    case .set, .signed:
      if number >= 0 { return .set(number) }
      if let value { report(value, "must be a number from 0", code: .outOfRange) }
      return nil
    }
  }
}
