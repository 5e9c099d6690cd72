import NotificationTemplates
import PushPayload

/// Rules about notification content extensions, which show expanded notifications.
///
/// Source: Apple, "Customizing the appearance of notifications", and the reference of the Info.plist's keys.
extension DoctorRule {
  static let contentExtension = [
    contentClass, contentStoryboard, contentKeyPlace, contentUnknownKey, contentCategory,
    contentCategoryShared, contentCategoryCase, contentRatio, contentFlag, contentTouches,
    contentAppGroup,
  ]

  private static let prefix = "UNNotificationExtension"
  private static let category = prefix + "Category"
  private static let ratio = prefix + "InitialContentSizeRatio"
  private static let touches = prefix + "UserInteractionEnabled"
  private static let flags = [
    prefix + "DefaultContentHidden", prefix + "OverridesDefaultTitle", touches,
  ]
  private static let keys = Set([category, ratio] + flags)
  private static let storyboard = "NSExtensionMainStoryboard"

  private static let contentClass = DoctorRule(
    "content-class", .error, summary: "The content extension names no view controller",
    why: "The system has nothing to show: the notification is expanded as without the extension.",
    fix:
      "Set NSExtension/NSExtensionPrincipalClass to the class, or NSExtensionMainStoryboard to the storyboard."
  ) { inspection in
    inspection.contentExtensions.compactMap { bundle in
      let names = [bundle.principalClass, bundle.extensionKeys[storyboard]?.string]
      return names.contains { $0?.isEmpty == false }
        ? nil : Fault(bundle, "it has neither NSExtensionPrincipalClass nor \(storyboard)")
    }
  }

  private static let contentStoryboard = DoctorRule(
    "content-storyboard", .error,
    summary: "The content extension's storyboard is not in the bundle",
    why: "The extension ends at once: the notification is expanded as without the extension.",
    fix: "Add the storyboard to the target, or remove the key and set NSExtensionPrincipalClass."
  ) { inspection in
    inspection.contentExtensions.compactMap { bundle in
      guard let name = bundle.extensionKeys[storyboard]?.string, !name.isEmpty,
        !bundle.files.contains(where: { "/\($0)".contains("/\(name).storyboardc/") })
      else { return nil }
      return Fault(bundle, "there is no \(name).storyboardc")
    }
  }

  private static let contentKeyPlace = DoctorRule(
    "content-key-place", .error,
    summary: "A key of the content extension is in the wrong dictionary",
    why: "The system reads these keys in NSExtensionAttributes only.",
    fix: "Move it into NSExtension/NSExtensionAttributes."
  ) { inspection in
    inspection.contentExtensions.flatMap { bundle in
      [
        ("at the top level of the Info.plist", bundle.info),
        ("in NSExtension itself", bundle.extensionKeys),
      ]
      .flatMap { place, members in
        members.keys.filter { keys.contains($0) && attributes(bundle)[$0] == nil }.sorted()
          .map { Fault(bundle, "\($0) is \(place)") }
      }
    }
  }

  private static let contentUnknownKey = DoctorRule(
    "content-unknown-key", .warning, summary: "A key of the content extension is not known",
    why: "The key is misspelt, and has no effect.",
    fix: "The keys are \(keys.sorted().joined(separator: ", "))."
  ) { inspection in
    inspection.contentExtensions.flatMap { bundle in
      attributes(bundle).keys.sorted().filter { key in
        !keys.contains(key)
          && (key.hasPrefix(prefix) || keys.contains { NearestName.isNear(key, $0, within: 3) })
      }.map { Fault(bundle, "\($0) is not known") }
    }
  }

  private static let contentCategory = DoctorRule(
    "content-category", .error, summary: "The content extension has no category",
    why:
      "The system starts a content extension for the categories that it names, and for no others.",
    fix: "Set \(category) in NSExtensionAttributes to a category, or to an array of categories."
  ) { inspection in
    inspection.contentExtensions.compactMap { bundle in
      guard let value = attributes(bundle)[category] else {
        // Another rule reports a key in the wrong dictionary.
        let isElsewhere = bundle.info[category] != nil || bundle.extensionKeys[category] != nil
        return isElsewhere ? nil : Fault(bundle, "\(category) is absent")
      }
      return categories(bundle).isEmpty
        ? Fault(bundle, "\(category) is \(value.typeName) without a category") : nil
    }
  }

  private static let contentCategoryShared = DoctorRule(
    "content-category-shared", .error, summary: "Two content extensions have the same category",
    why: "The system starts one of them, and does not document which.",
    fix:
      "Give each category to one extension; remove that of the vendor's library which is not needed."
  ) { inspection in
    let bundles = inspection.contentExtensions
    return bundles.enumerated().flatMap { index, bundle in
      bundles[..<index].flatMap { earlier in
        Set(categories(earlier)).intersection(categories(bundle)).sorted()
          .map { Fault(bundle, "\(earlier.name) has \(quoted($0)) too") }
      }
    }
  }

  private static let contentCategoryCase = DoctorRule(
    "content-category-case", .warning,
    summary: "A category differs from a known one in its capital letters",
    why:
      "Categories are compared letter by letter: the system does not start the extension for the other.",
    fix: "Write the category as the sender writes it in aps.category."
  ) { inspection in
    let known =
      TemplateTable.standard.adapters.flatMap(\.categories)
      + inspection.services.flatMap(categories)
    return inspection.contentExtensions.flatMap { bundle in
      categories(bundle).compactMap { name -> Fault? in
        guard !known.contains(name),
          let other = known.first(where: { $0.lowercased() == name.lowercased() })
        else { return nil }
        return Fault(bundle, "\(quoted(name)) is written \(quoted(other)) elsewhere")
      }
    }
  }

  private static let contentRatio = DoctorRule(
    "content-ratio", .error, summary: "The content extension has no initial height",
    why:
      "The key is required; without it the view begins with a height that nobody chose, and jumps.",
    fix: "Set \(ratio) in NSExtensionAttributes to the height divided by the width, such as 0.8."
  ) { inspection in
    inspection.contentExtensions.compactMap { bundle in
      guard let value = attributes(bundle)[ratio] else {
        let isElsewhere = bundle.info[ratio] != nil || bundle.extensionKeys[ratio] != nil
        return isElsewhere ? nil : Fault(bundle, "\(ratio) is absent")
      }
      guard let number = value.number, number >= 0, number.isFinite else {
        return Fault(bundle, "\(ratio) must be a number of 0 or more")
      }
      return nil
    }
  }

  private static let contentFlag = DoctorRule(
    "content-flag", .warning, summary: "A switch of the content extension is not a Boolean",
    why: "The value is ignored, and the switch is off.",
    fix: "Choose the type Boolean in Xcode, or write <true/>."
  ) { inspection in
    inspection.contentExtensions.flatMap { bundle in
      flags.compactMap { key in
        guard let value = attributes(bundle)[key], value.bool == nil else { return nil }
        return Fault(bundle, "\(key) is \(value.typeName)")
      }
    }
  }

  private static let contentTouches = DoctorRule(
    "content-touches", .warning, summary: "Touches do not reach the expanded notification",
    why:
      "Pages cannot be moved and stars not chosen: only the buttons below the notification work.",
    fix: "Set \(touches) in NSExtensionAttributes to true."
  ) { inspection in
    inspection.contentExtensions.compactMap { bundle in
      guard usesMartlet(bundle), attributes(bundle)[touches]?.bool != true,
        attributes(bundle)[touches].map({ $0.bool != nil }) ?? true
      else { return nil }
      return Fault(bundle, "\(touches) is not true")
    }
  }

  private static let contentAppGroup = DoctorRule(
    "content-app-group", .error,
    summary: "The two extensions have different app groups",
    why:
      "The content extension does not find the pictures that the service extension has prepared.",
    fix: "Set Martlet/AppGroup to the same group in the Info.plist of both extensions."
  ) { inspection in
    let groups = inspection.services.compactMap { $0.info["Martlet"]?["AppGroup"]?.string }
    return inspection.contentExtensions.compactMap { bundle in
      guard usesMartlet(bundle), let group = groups.first else { return nil }
      let own = bundle.info["Martlet"]?["AppGroup"]?.string
      return own == group
        ? nil
        : Fault(bundle, "its group is \(quoted(own)); the service extension's is \(quoted(group))")
    }
  }

  private static func attributes(_ bundle: InspectedBundle) -> [String: PropertyList] {
    bundle.extensionKeys["NSExtensionAttributes"]?.dictionary ?? [:]
  }

  /// The categories of an extension; empty if one of them is empty or not a string.
  private static func categories(_ bundle: InspectedBundle) -> [String] {
    let value = attributes(bundle)[category]
    let names = value?.strings ?? value?.string.map { [$0] } ?? []
    return names.contains("") ? [] : names
  }

  /// Whether the extension shows templates with ``RichContentViewController``.
  private static func usesMartlet(_ bundle: InspectedBundle) -> Bool {
    bundle.info["Martlet"] != nil || bundle.principalClass == "RichContentViewController"
  }
}
