import NotificationTemplates
import PushPayload
import Testing

/// A measurer whose letters are all half as wide as high, which breaks lines anywhere.
struct EvenMeasurer: TemplateTextMeasurer {
  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
    let letter = font.size * (font.weight == .regular ? 0.5 : 0.55)
    let perLine = max(1, Int(width / letter))
    let needed = max(1, (text.count + perLine - 1) / perLine)
    let shown = min(needed, lines ?? needed)
    return TemplateSize(
      width: min(Double(min(text.count, perLine)) * letter, width),
      height: Double(shown) * (font.size * 1.2).rounded(.up))
  }
}

/// The template of Martlet's own form.
func template(_ json: JSONValue) throws -> NotificationTemplate {
  let payload: JSONValue = ["aps": ["category": "x"], "_martlet": ["template": json]]
  return try #require(TemplateTable.standard.read(payload, delivered: 0).template)
}

func environment(
  width: Double = 361, now: Double = 1_795_950_000,
  configure: (inout TemplateEnvironment) -> Void = { _ in }
) -> TemplateEnvironment {
  var environment = TemplateEnvironment(width: width, now: now)
  configure(&environment)
  return environment
}

func layout(
  _ template: NotificationTemplate, state: TemplateState = TemplateState(),
  in environment: TemplateEnvironment = environment()
) -> TemplateLayout {
  TemplateLayout(template, state: state, in: environment, measuring: EvenMeasurer())
}

extension TemplateElement {
  var label: TemplateLabel? {
    switch content {
    case .text(let label), .button(let label, _): label
    default: nil
    }
  }

  var isPicture: Bool { if case .picture = content { true } else { false } }
  var isStar: Bool { if case .star = content { true } else { false } }
  var isButton: Bool { if case .button = content { true } else { false } }
}

extension TemplateRect {
  func overlaps(_ other: TemplateRect) -> Bool {
    x < other.maxX - 0.01 && other.x < maxX - 0.01 && y < other.maxY - 0.01
      && other.y < maxY - 0.01
  }
}
