#if os(iOS) || os(visionOS)
  import Foundation
  import NotificationTemplates
  import UIKit

  extension TemplateEnvironment {
    /// The settings of the person, as a view has them.
    @MainActor
    init(_ view: UIView, now: Double) {
      let traits = view.traitCollection
      self.init(width: Double(view.bounds.width), now: now)
      isRegular = traits.horizontalSizeClass == .regular
      textSize = TemplateTextSize(traits.preferredContentSizeCategory)
      isRightToLeft = view.effectiveUserInterfaceLayoutDirection == .rightToLeft
      isDark = traits.userInterfaceStyle == .dark
      reducesMotion = UIAccessibility.isReduceMotionEnabled
      // The app's language, which a person may choose apart from the phone's.
      language = Bundle.main.preferredLocalizations.first ?? Locale.preferredLanguages.first ?? "en"
    }
  }

  extension TemplateTextSize {
    /// Creates the size with the name of a content size category; ``large`` if the category is not specified.
    init(_ category: UIContentSizeCategory) {
      self =
        switch category {
        case .extraSmall: .xSmall
        case .small: .small
        case .medium: .medium
        case .extraLarge: .xLarge
        case .extraExtraLarge: .xxLarge
        case .extraExtraExtraLarge: .xxxLarge
        case .accessibilityMedium: .accessibility1
        case .accessibilityLarge: .accessibility2
        case .accessibilityExtraLarge: .accessibility3
        case .accessibilityExtraExtraLarge: .accessibility4
        case .accessibilityExtraExtraExtraLarge: .accessibility5
        default: .large
        }
    }
  }
#endif
