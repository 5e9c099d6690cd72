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
    for item in items(at: rule.item, in: scope, limit: Dialect.maximumButtons) {
      guard var button = button(rule, in: Scope(top: scope.top, item: item)) else { continue }
      if button.identifier.isEmpty { button.identifier = String(buttons.count) }
      while buttons.contains(where: { $0.identifier == button.identifier }) {
        button.identifier += "-\(buttons.count)"
      }
      buttons.append(button)
    }
    return buttons
  }

  private mutating func button(_ rule: ButtonRule, in scope: Scope) -> RichButton? {
    guard let title = text(at: rule.title, in: scope)?.result else { return nil }
    let identifier = identifier(at: rule.identifier, in: scope) ?? ""
    var button = RichButton(identifier: identifier, title: title)
    button.url = text(at: rule.url, in: scope)?.result
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
