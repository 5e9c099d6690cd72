import PushModel
import PushPayload

extension CampaignForm {
  /// The fields of one variant.
  struct VariantForm: Sendable {
    var index: Int
    /// The index of the message to which the variant belongs, from 0.
    var step = 0
    var key: String
    var name: String
    var share: String
    /// The version of the template that the message comes from; empty if it comes from no template.
    var stored: String
    /// The members of the variant for which the form has no field.
    var kept: [String: JSONValue] = [:]
    /// The texts and options, in the fields of the composer.
    var compose: ComposeForm
    /// Whether the form has several messages, so that the title has to name this message.
    var isOneOfSteps = false

    /// The name of the variant in the form and in its error messages.
    var title: String {
      let title = CampaignPlan.Variant.title(key: key, name: nil)
      return isOneOfSteps ? "Message \(step + 1), \(title)" : title
    }
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

  /// The button that shows the fields of a template, which the server renders.
  static let showTemplate = "show-template"

  /// The parts of a variant that are not fields of the composer.
  static let ownParts: Set<String> = [
    "key", "name", "share", "step", "kept", storedPart, choicePart, lifePart, lifeUnitPart,
  ]

  var variantCount: Int {
    min(
      max(form["variants"].flatMap { Int($0) } ?? 1, 1),
      CampaignPlan.variantLimit * CampaignPlan.stepLimit)
  }

  /// The variants of all messages, in the order of the messages.
  var variants: [VariantForm] {
    var parts: [Int: [(name: String, value: String)]] = [:]
    for field in form.fields {
      guard let place = Self.part(ofField: field.name), !Self.ownParts.contains(place.part) else {
        continue
      }
      parts[place.index, default: []].append((place.part, field.value))
    }
    let stepCount = stepCount
    return (0..<variantCount).map { index in
      func own(_ part: String) -> String { form[Self.name(index, part)] ?? "" }
      var compose = ComposeForm(Form(parts[index] ?? []))
      compose[.kind] = (isInApp ? ComposeForm.Kind.message : .push).rawValue
      return VariantForm(
        index: index, step: min(max(Int(own("step")) ?? 0, 0), stepCount - 1), key: own("key"),
        name: own("name"), share: own("share"), stored: own(Self.storedPart),
        kept: Self.members(own("kept")), compose: compose,
        isOneOfSteps: kind == .triggered && stepCount > 1)
    }
  }

  /// A change of the variants or the messages that a button makes.
  enum VariantChange: Equatable, Sendable {
    case add(step: Int)
    case remove(Int)
    /// Divides evenly the share that the control leaves.
    case even
    case addStep
    case removeStep(Int)

    /// Parses the value of a button: `variant-add`, `variant-add-1`, `variant-remove-1`, `step-add`.
    init?(action: String) {
      func number(after prefix: String) -> Int? {
        action.hasPrefix(prefix) ? Int(action.dropFirst(prefix.count)) : nil
      }
      switch action {
      case "variant-add": self = .add(step: 0)
      case "variant-even": self = .even
      case "step-add": self = .addStep
      default:
        if let step = number(after: "variant-add-") {
          self = .add(step: step)
        } else if let index = number(after: "variant-remove-") {
          self = .remove(index)
        } else if let step = number(after: "step-remove-") {
          self = .removeStep(step)
        } else {
          return nil
        }
      }
    }
  }

  /// The id and the value of the button that adds a variant to a message.
  static func addName(_ step: Int) -> String { step == 0 ? "variant-add" : "variant-add-\(step)" }

  /// Adds or removes a variant or a message, or divides the shares.
  ///
  /// - Returns: The id of the element that gets the focus; `nil` if nothing has changed.
  mutating func apply(_ change: VariantChange) -> String? {
    switch change {
    case .add(let step):
      let own = variants.filter { $0.step == step }
      guard (0..<stepCount).contains(step), own.count < CampaignPlan.variantLimit else {
        return nil
      }
      let used = Set(own.map(\.key))
      let key = "abcdefghijklmnopqrstuvwxyz".map(String.init).first { !used.contains($0) }
      rewrite { parts in
        parts.append(
          (
            step, [("step", "\(step)"), ("key", key ?? "variant-\(own.count)"), ("share", "")]
          ))
      }
      return Self.name(variants.last { $0.step == step }?.index ?? 0, "title")
    case .remove(let index):
      guard let variant = variants.first(where: { $0.index == index }),
        variants.filter({ $0.step == variant.step }).count > 1
      else { return nil }
      rewrite { $0.remove(at: index) }
      let left = variants.filter { $0.step == variant.step }
      if left.count == 1 { set(Self.name(left[0].index, "share"), String(100 - controlShare)) }
      return Self.addName(variant.step)
    case .even:
      divideEvenly()
      return "variant-even"
    case .addStep:
      let step = stepCount
      guard step < CampaignPlan.stepLimit else { return nil }
      set(Self.stepsField, String(step + 1))
      set(Self.stepName(step, "after"), "1")
      set(Self.stepName(step, "unit"), CampaignPeriod.Unit.days.rawValue)
      let share = String(100 - controlShare)
      rewrite { $0.append((step, [("step", "\(step)"), ("key", "a"), ("share", share)])) }
      return Self.stepName(step, "after")
    case .removeStep(let step):
      guard stepCount > 1, (0..<stepCount).contains(step) else { return nil }
      removeStep(step)
      return "step-add"
    }
  }

  /// Numbers the variants again after a change, in the order of the messages.
  mutating func rewrite(
    _ change: (inout [(step: Int, fields: [(part: String, value: String)])]) -> Void
  ) {
    var all = variants.map { variant in
      (
        step: variant.step,
        fields: form.fields.compactMap { field -> (part: String, value: String)? in
          guard let place = Self.part(ofField: field.name), place.index == variant.index else {
            return nil
          }
          return (place.part, field.value)
        }
      )
    }
    change(&all)
    let ordered = all.enumerated().sorted {
      ($0.element.step, $0.offset) < ($1.element.step, $1.offset)
    }
    removeFields { Self.part(ofField: $0) != nil }
    set("variants", String(ordered.count))
    for (index, variant) in ordered.enumerated() {
      for field in variant.element.fields where field.part != "step" {
        append(Self.name(index, field.part), field.value)
      }
      append(Self.name(index, "step"), String(variant.element.step))
    }
  }

  /// Changes the languages or the pages of a variant, as the value of a button says: `v0_language-add-fr`,
  /// `v0_page-add`.
  ///
  /// - Returns: The name of the element that gets the focus; `nil` if nothing has changed.
  mutating func changeMessage(_ action: String) -> String? {
    guard let place = Self.part(ofField: action),
      let variant = variants.first(where: { $0.index == place.index })
    else { return nil }
    var compose = variant.compose
    let focus: String?
    if place.part == Self.showTemplate {
      focus = ComposeField.template.rawValue
    } else if let change = ComposeForm.LanguageChange(action: place.part) {
      focus = compose.apply(change)
    } else {
      focus = ComposeForm.PageChange(action: place.part).flatMap { compose.apply($0) }
    }
    guard let focus else { return nil }
    removeFields {
      Self.part(ofField: $0).map {
        $0.index == place.index && !Self.ownParts.contains($0.part)
      } ?? false
    }
    for field in compose.form.fields where field.name != ComposeField.kind.rawValue {
      append(Self.name(place.index, field.name), field.value)
    }
    return Self.name(place.index, focus)
  }

  private var controlShare: Int { Int(control).flatMap { (0...99).contains($0) ? $0 : nil } ?? 0 }

  private mutating func divideEvenly() {
    let rest = 100 - controlShare
    for variants in Dictionary(grouping: variants, by: \.step).values where rest >= variants.count {
      for (place, variant) in variants.enumerated() {
        let share = rest / variants.count + (place < rest % variants.count ? 1 : 0)
        set(Self.name(variant.index, "share"), String(share))
      }
    }
  }
}
