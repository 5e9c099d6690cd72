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
      let action = action(rule, in: scope)
      guard isAllowed(action, by: rule, in: scope), var button = button(rule, in: scope) else {
        if rule.isAllOrNothing { return [] }
        continue
      }
      if button.identifier.isEmpty {
        let number = rule.countsSkipped ? index : buttons.count
        button.identifier =
          (action?.numbering ?? rule.numbering) + String(rule.firstNumber + number)
      }
      if rule.actionPath != nil, action?.opensURL != true { button.url = nil }
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

  /// The action that an item's word names; `nil` if the rule does not know the word.
  private mutating func action(_ rule: ButtonRule, in scope: Scope) -> ButtonRule.Action? {
    text(at: rule.actionPath, in: scope).flatMap { rule.actions[$0] }
  }

  /// Whether an item has the values that its action needs.
  private mutating func isAllowed(
    _ action: ButtonRule.Action?, by rule: ButtonRule, in scope: Scope
  ) -> Bool {
    guard let action else { return !rule.skipsUnknownActions }
    return action.required.allSatisfy { text(at: [$0], in: scope) != nil }
      && !action.excluded.contains { text(at: [$0], in: scope) != nil }
  }

  private mutating func button(_ rule: ButtonRule, in scope: Scope) -> RichButton? {
    guard rule.required.allSatisfy({ text(at: [$0], in: scope) != nil }),
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
