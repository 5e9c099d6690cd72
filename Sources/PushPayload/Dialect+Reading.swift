extension Dialect {
  /// Reads a payload, if it has this dialect's signature.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: `nil` where nothing of the signature is present.
  public func read(_ payload: JSONValue) -> PayloadRequest? {
    signature.matches(payload) ? content(of: payload) : nil
  }

  func content(of payload: JSONValue) -> PayloadRequest {
    var reader = PayloadReader()
    let scopes = roots.flatMap { reader.scopes($0, of: payload) }
    var content = PayloadRequest(dialect: id)
    content.media = reader.media(media, in: scopes)
    content.alternativeText = reader.text(alternativeText, in: scopes)
    content.title = reader.text(title, in: scopes)
    content.subtitle = reader.text(subtitle, in: scopes)
    content.body = reader.text(body, in: scopes)
    content.textNeedsMedia = textNeedsMedia
    content.buttons = reader.buttons(buttons, in: scopes)
    content.category = reader.text(category, in: scopes)
    content.deepLink = reader.text(deepLink, in: scopes)
    content.messageID = reader.name(messageID, in: scopes)
    content.badge = reader.badge(badge, in: scopes)
    content.findings = reader.findings
    return content
  }
}

extension PayloadReader {
  /// The places where a dialect's keys may begin; a value there of another shape is another's.
  fileprivate func scopes(_ root: PayloadPath, of payload: JSONValue) -> [Scope] {
    let top = PayloadValue(value: payload)
    if root.steps.isEmpty { return [Scope(top: top)] }
    var probe = self  // what it notes does not count
    return probe.places(root, in: Scope(top: top), atMost: 1)
      .filter { $0.value.object != nil }.map { Scope(top: $0) }
  }

  fileprivate mutating func text(_ paths: [PayloadPath], in scopes: [Scope]) -> String? {
    for scope in scopes {
      if let text = text(paths, in: scope) { return text.value }
    }
    return nil
  }

  fileprivate mutating func name(_ paths: [PayloadPath], in scopes: [Scope]) -> String? {
    for scope in scopes {
      if let name = name(paths, in: scope) { return name }
    }
    return nil
  }

  /// The values of the first rule that has any, cut to `limit`.
  mutating func items(_ path: PayloadPath, in scope: Scope, atMost limit: Int) -> [PayloadValue] {
    let found = places(path, in: scope, atMost: limit + 1)
    guard found.count > limit else { return found }
    note(found[limit], "is more than the \(limit) that are read", code: .outOfRange)
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
      guard let word = text([strategy], in: scope) else { return nil }
      guard let chosen = rule.operations[word.value] else {
        note(word.place, "is no word that is known here", code: .outOfRange)
        return nil
      }
      operation = chosen
    }
    if operation == .increment { return .add(1) }
    let what = "a whole number of at most six digits"
    let found = first([rule.value], in: scope, what) { value in
      (value.integer ?? value.string.flatMap { Int64($0) })
        .flatMap { (-999_999...999_999).contains($0) ? Int($0) : nil }
    }
    guard let (number, place) = found else { return nil }
    switch operation.meaning {
    case .add, .increment: return .add(number)
    case .subtract: return .add(-number)
    case .signed where place.value.string?.first.map { "+-".contains($0) } ?? (number < 0):
      return .add(number)
    case .set, .signed:
      if number >= 0 { return .set(number) }
      note(place, "takes a number from 0", code: .outOfRange)
      return nil
    }
  }
}
