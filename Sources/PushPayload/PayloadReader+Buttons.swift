extension PayloadReader {
  /// The buttons of the first rule that finds any, each with a unique identifier.
  mutating func buttons(_ rules: [ButtonRule], in scopes: [Scope]) -> [RichButton] {
    for rule in rules {
      for scope in scopes {
        let buttons = buttons(rule, in: scope)
        if !buttons.isEmpty { return buttons }
      }
    }
    return []
  }

  private mutating func buttons(_ rule: ButtonRule, in scope: Scope) -> [RichButton] {
    var buttons: [RichButton] = []
    for (index, item) in items(at: rule.item, in: scope, limit: rule.maximumCount).enumerated() {
      let scope = Scope(top: scope.top, item: item)
      guard isKnown(rule, in: scope), var button = button(rule, in: scope) else {
        if rule.isAllOrNothing { return [] }
        continue
      }
      if button.identifier.isEmpty {
        let number = rule.countsSkipped ? index : buttons.count
        let word = text(at: rule.kindPath, in: scope)
        let numbering = word.flatMap { rule.numberingByKind[$0] } ?? rule.numbering
        button.identifier = numbering + String(rule.firstNumber + number)
      }
      if let prefix = text(at: rule.identifierPrefix, in: scope) {
        button.identifier = prefix + "-" + button.identifier
      }
      while buttons.contains(where: { $0.identifier == button.identifier }) {
        button.identifier += "-\(buttons.count)"
      }
      buttons.append(button)
    }
    return rule.reversesTwo && buttons.count == 2 ? buttons.reversed() : buttons
  }

  /// Whether an item has a word that the rule knows, and what that word needs.
  private mutating func isKnown(_ rule: ButtonRule, in scope: Scope) -> Bool {
    guard !rule.kinds.isEmpty else { return true }
    guard let word = text(at: rule.kindPath ?? rule.kind, in: scope),
      let needed = rule.kinds[word], needed.allSatisfy({ text(at: $0, in: scope) != nil })
    else { return false }
    return text(at: rule.excluded[word], in: scope) == nil
  }

  private mutating func button(_ rule: ButtonRule, in scope: Scope) -> RichButton? {
    guard rule.required.allSatisfy({ text(at: $0, in: scope) != nil }),
      let title = text(at: rule.title, in: scope)?.result
    else { return nil }
    let identifier = identifier(at: rule.identifier, in: scope) ?? ""
    var button = RichButton(identifier: identifier, title: title)
    button.url = link(rule, in: scope)
    let traits = traits(rule, in: scope)
    button.isDestructive = traits.contains(.destructive)
    button.requiresUnlock =
      flag(at: rule.requiresUnlock, in: scope) ?? traits.contains(.requiresUnlock)
    button.opensApp =
      flag(at: rule.opensApp, in: scope)
      ?? (traits.contains(.foreground)
        || (rule.opensAppByDefault && !traits.contains(.background)))
    if traits.contains(.textInput) {
      button.textInput = RichButton.TextInput(
        buttonTitle: text(at: rule.inputTitle, in: scope) ?? "",
        placeholder: text(at: rule.inputPlaceholder, in: scope) ?? "")
    }
    if let name = text(at: rule.iconName, in: scope) {
      let type = text(at: rule.iconType, in: scope)?.lowercased()
      button.icon = RichButton.Icon(name: name, isSystem: type?.hasPrefix("system") == true)
    }
    return button
  }

  /// The URL that a tap on a button opens.
  private mutating func link(_ rule: ButtonRule, in scope: Scope) -> String? {
    if let path = rule.linkKind {
      guard let word = text(at: path, in: scope), rule.linkWords.contains(word) else { return nil }
    }
    guard let url = text(at: rule.url, in: scope)?.result,
      !rule.commandPrefixes.contains(where: { url.hasPrefix($0) })
    else { return nil }
    return url
  }

  private mutating func traits(_ rule: ButtonRule, in scope: Scope) -> Set<ButtonRule.Trait> {
    guard let path = rule.kind else { return [] }
    var traits: Set<ButtonRule.Trait> = []
    for value in values(at: path, in: scope, limit: Dialect.maximumButtons) {
      if let word = value.json.string {
        if let trait = rule.traits[word] { traits.insert(trait) }
      } else {
        report(value, expected: "a string")
      }
    }
    return traits
  }
}
