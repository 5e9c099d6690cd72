import PushPayload

extension CampaignForm {
  /// A variant as the form has it.
  struct VariantForm: Sendable {
    var index: Int
    var key: String
    var name: String
    var share: String
    /// The version of the template that the message is of; empty for none.
    var stored: String
    /// The texts and options, in the fields of the composer.
    var compose: ComposeForm

    /// What the form and its messages call the variant.
    var title: String { CampaignPlan.Variant.title(key: key, name: nil) }
  }

  /// The name of a field of a variant.
  static func name(_ index: Int, _ part: String) -> String { "v\(index)_\(part)" }

  /// The variant that a field belongs to, and the field's name in the variant.
  static func part(ofField name: String) -> (index: Int, part: String)? {
    guard let match = name.wholeMatch(of: /v(\d{1,2})_(.+)/), let index = Int(match.1) else {
      return nil
    }
    return (index, String(match.2))
  }

  /// The parts of a variant that are not fields of the composer.
  static let ownParts: Set<String> = ["key", "name", "share", storedPart, choicePart]

  var variantCount: Int {
    min(max(form["variants"].flatMap { Int($0) } ?? 1, 1), CampaignPlan.variantLimit)
  }

  var variants: [VariantForm] {
    (0..<variantCount).map { index in
      let fields = form.fields.compactMap { field -> (name: String, value: String)? in
        guard let place = Self.part(ofField: field.name), place.index == index,
          !Self.ownParts.contains(place.part)
        else { return nil }
        return (place.part, field.value)
      }
      func own(_ part: String) -> String { form[Self.name(index, part)] ?? "" }
      return VariantForm(
        index: index, key: own("key"), name: own("name"), share: own("share"),
        stored: own(Self.storedPart),
        compose: ComposeForm(Form(fields)))
    }
  }

  /// What a button does to the variants.
  enum VariantChange: Equatable, Sendable {
    case add
    case remove(Int)
    /// Divides what the control leaves evenly.
    case even

    /// The change that the value of a button names: `variant-add`, `variant-remove-1`.
    init?(action: String) {
      switch action {
      case "variant-add": self = .add
      case "variant-even": self = .even
      default:
        guard action.hasPrefix("variant-remove-"), let index = Int(action.dropFirst(15)) else {
          return nil
        }
        self = .remove(index)
      }
    }
  }

  /// Adds or removes a variant, or divides the shares.
  ///
  /// - Returns: The id of the element that gets the focus; `nil` where nothing has changed.
  mutating func apply(_ change: VariantChange) -> String? {
    var all = (0..<variantCount).map { index in
      form.fields.compactMap { field -> (part: String, value: String)? in
        guard let place = Self.part(ofField: field.name), place.index == index else { return nil }
        return (place.part, field.value)
      }
    }
    var focus: String
    switch change {
    case .add:
      guard all.count < CampaignPlan.variantLimit else { return nil }
      let used = Set(variants.map(\.key))
      let key = "abcdefghijklmnopqrstuvwxyz".map(String.init).first { !used.contains($0) }
      all.append([("key", key ?? "variant-\(all.count)"), ("share", "")])
      focus = Self.name(all.count - 1, "title")
    case .remove(let index):
      guard all.indices.contains(index), all.count > 1 else { return nil }
      all.remove(at: index)
      focus = "variant-add"
    case .even:
      focus = "variant-even"
    }
    removeFields { Self.part(ofField: $0) != nil }
    set("variants", String(all.count))
    for (index, fields) in all.enumerated() {
      for field in fields { append(Self.name(index, field.part), field.value) }
    }
    if change == .even { divideEvenly() }
    return focus
  }

  /// Adds or removes a language of a variant, as the value of a button says: `v0_language-add-fr`.
  ///
  /// - Returns: The name of the element that gets the focus; `nil` where nothing has changed.
  mutating func changeLanguages(_ action: String) -> String? {
    guard let place = Self.part(ofField: action),
      let variant = variants.first(where: { $0.index == place.index }),
      let change = ComposeForm.LanguageChange(action: place.part)
    else { return nil }
    var compose = variant.compose
    guard let focus = compose.apply(change) else { return nil }
    removeFields {
      Self.part(ofField: $0).map {
        $0.index == place.index && ComposeForm.isLanguagePart($0.part)
      } ?? false
    }
    for field in compose.form.fields where ComposeForm.isLanguagePart(field.name) {
      append(Self.name(place.index, field.name), field.value)
    }
    return Self.name(place.index, focus)
  }

  private mutating func divideEvenly() {
    let count = variantCount
    let rest = 100 - (Int(control) ?? 0)
    guard rest >= count else { return }
    for index in 0..<count {
      set(Self.name(index, "share"), String(rest / count + (index < rest % count ? 1 : 0)))
    }
  }
}

extension CampaignPlan.Variant {
  /// What pages call the variant: its name, or `Variant A`.
  var title: String { Self.title(key: key, name: name) }

  static func title(key: String, name: String?) -> String {
    name ?? "Variant \(key.count == 1 ? key.uppercased() : key)"
  }
}

extension CampaignPlan {
  /// What pages call the variant with a key, which is a text as it is where there is none.
  func title(of key: String) -> String {
    if key == Self.controlKey { return "Control" }
    return variants.first { $0.key == key }?.title ?? key
  }
}
