extension PayloadReader {
  /// The buttons of the first rule that has any, each with an identifier of its own.
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
    for item in items(rule.item, in: scope, atMost: Dialect.maximumButtons) {
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
    guard let title = text(rule.title, in: scope)?.value else { return nil }
    var button = RichButton(identifier: name(rule.identifier, in: scope) ?? "", title: title)
    button.url = text(rule.url, in: scope)?.value
    let traits = traits(rule, in: scope)
    button.isDestructive = traits.contains(.destructive)
    button.requiresUnlock =
      flag(rule.requiresUnlock, in: scope) ?? traits.contains(.requiresUnlock)
    button.opensApp =
      flag(rule.opensApp, in: scope)
      ?? (traits.contains(.foreground)
        || (rule.opensAppByDefault && !traits.contains(.background)))
    if traits.contains(.textInput) {
      button.textInput = RichButton.TextInput(
        buttonTitle: text(rule.inputTitle, in: scope) ?? "",
        placeholder: text(rule.inputPlaceholder, in: scope) ?? "")
    }
    if let name = text(rule.iconName, in: scope) {
      let type = text(rule.iconType, in: scope)?.lowercased()
      button.icon = RichButton.Icon(name: name, isSystem: type?.hasPrefix("system") == true)
    }
    return button
  }

  private mutating func traits(_ rule: ButtonRule, in scope: Scope) -> Set<ButtonRule.Trait> {
    guard let path = rule.kind else { return [] }
    var traits: Set<ButtonRule.Trait> = []
    for place in places(path, in: scope, atMost: Dialect.maximumButtons) {
      if let word = place.value.string {
        if let trait = rule.traits[word] { traits.insert(trait) }
      } else {
        note(place, takes: "a string")
      }
    }
    return traits
  }
}
