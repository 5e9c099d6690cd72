#if os(iOS) || os(visionOS)
  import NotificationTemplates
  import UIKit

  /// The accessibility element of one part of a template.
  final class TemplateAccessibilityElement: UIAccessibilityElement {
    private var tap: TemplateElement.Tap?
    private var isAdjustable = false
    private let perform: (TemplateElement.Tap) -> Void

    init(in view: UIView, perform: @escaping (TemplateElement.Tap) -> Void) {
      self.perform = perform
      super.init(accessibilityContainer: view)
    }

    /// Takes the present words and actions of a part.
    func update(_ element: TemplateElement) {
      tap = element.tap
      isAdjustable = element.accessibility?.traits.contains(.adjustable) ?? false
      accessibilityFrameInContainerSpace = CGRect(element.frame)
      accessibilityLabel = element.accessibility?.label
      accessibilityValue = element.accessibility?.value
      accessibilityTraits = UIAccessibilityTraits(element.accessibility?.traits ?? [])
      accessibilityCustomActions = element.accessibility?.actions.map { action in
        UIAccessibilityCustomAction(name: action.name) { [perform] _ in
          perform(action.tap)
          return true
        }
      }
    }

    override func accessibilityActivate() -> Bool {
      guard let tap else { return false }
      perform(tap)
      return true
    }

    override func accessibilityIncrement() { if isAdjustable { perform(.next) } }
    override func accessibilityDecrement() { if isAdjustable { perform(.previous) } }
  }

  extension UIAccessibilityTraits {
    init(_ traits: Set<TemplateAccessibility.Trait>) {
      self = traits.reduce(into: UIAccessibilityTraits.none) { all, trait in
        switch trait {
        case .header: all.insert(.header)
        case .image: all.insert(.image)
        case .button: all.insert(.button)
        case .adjustable: all.insert(.adjustable)
        case .updatesFrequently: all.insert(.updatesFrequently)
        case .selected: all.insert(.selected)
        }
      }
    }
  }
#endif
