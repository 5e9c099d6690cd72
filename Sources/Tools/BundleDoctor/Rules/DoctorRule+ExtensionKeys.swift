/// Rules about the dictionary `NSExtension`, by which the system finds the extension's class.
extension DoctorRule {
  static let extensionKeys = [
    pointIdentifier, storyboard, principalClass, classWithoutModule, unknownClass, categoryPlace,
    categoryType,
  ]

  private static let pointIdentifier = DoctorRule(
    "point-identifier", .error,
    summary: "NSExtensionPointIdentifier is not that of a service extension",
    why: "With another identifier the system never runs the extension for a notification.",
    fix: "Set NSExtension/NSExtensionPointIdentifier to \(Inspection.servicePoint)."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard case .success = bundle.infoPlist, bundle.point != Inspection.servicePoint else {
        return nil
      }
      return Fault(bundle, "NSExtensionPointIdentifier is \(quoted(bundle.point))")
    }
  }

  private static let storyboard = DoctorRule(
    "storyboard", .error, summary: "The service extension names a storyboard",
    why: "The key is for content extensions; a service extension with it does not start.",
    fix: "Remove NSExtensionMainStoryboard and name a class in NSExtensionPrincipalClass."
  ) { inspection in
    inspection.services.compactMap { bundle in
      bundle.extensionKeys["NSExtensionMainStoryboard"] == nil
        ? nil : Fault(bundle, "NSExtensionMainStoryboard is present")
    }
  }

  private static let principalClass = DoctorRule(
    "principal-class", .error, summary: "NSExtensionPrincipalClass names no class",
    why: "The system cannot create the extension: the notification is shown unchanged.",
    fix: "Set NSExtension/NSExtensionPrincipalClass to $(PRODUCT_MODULE_NAME).NotificationService."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard case .success = bundle.infoPlist else { return nil }
      switch bundle.extensionKeys["NSExtensionPrincipalClass"] {
      case .string(let name) where !name.isEmpty: return nil
      case .string: return Fault(bundle, "it is empty")
      case nil: return Fault(bundle, "it is absent")
      case let other?: return Fault(bundle, "it is \(other.typeName), and must be a string")
      }
    }
  }

  private static let classWithoutModule = DoctorRule(
    "principal-class-module", .error,
    summary: "The principal class is a Swift class and is named without its module",
    why: "The system finds a Swift class by Module.Class, and not by its name alone.",
    fix: "Write $(PRODUCT_MODULE_NAME).Class, or declare the class @objc(Class)."
  ) { inspection in
    readable(inspection).compactMap { bundle, name in
      guard !name.contains("."), !bundle.holds("\0\(name)\0"),
        bundle.holds("\(name.utf8.count)\(name)\0")
      else { return nil }
      return Fault(
        bundle, "the code has a Swift class \(name), which has no Objective-C name \(name)")
    }
  }

  private static let unknownClass = DoctorRule(
    "principal-class-unknown", .warning,
    summary: "The principal class is not in the extension's code",
    why: "It was renamed, is in no file of the target, or the linker removed it.",
    fix: "Compare the name with the class; a class from a static library needs a subclass in the "
      + "target, or -ObjC in OTHER_LDFLAGS."
  ) { inspection in
    readable(inspection).compactMap { bundle, name in
      let parts = name.split(separator: ".").map(String.init)
      let (module, type) = (parts.count == 2 ? parts[0] : "", parts.last ?? "")
      let mangled =
        module.isEmpty
        ? "\(type.utf8.count)\(type)\0"
        : "_TtC\(module.utf8.count)\(module)\(type.utf8.count)\(type)"
      let isLinked = bundle.slices.contains { slice in
        slice.libraries.contains { !module.isEmpty && $0.hasSuffix("/" + module) }
      }
      guard !isLinked, !bundle.holds(mangled), !bundle.holds("\0\(name)\0") else { return nil }
      return Fault(bundle, "its code has no class \(name)")
    }
  }

  /// The bundles with searchable code, and the names of their principal classes.
  private static func readable(_ inspection: Inspection) -> [(InspectedBundle, String)] {
    (inspection.services + inspection.contentExtensions).compactMap { bundle in
      guard let name = bundle.principalClass, !name.isEmpty, !name.contains("$("),
        !bundle.slices.isEmpty, !bundle.slices.contains(where: \.isEncrypted)
      else { return nil }
      return (bundle, name)
    }
  }

  private static let category = "UNNotificationExtensionCategory"

  private static let categoryPlace = DoctorRule(
    "category-place", .warning, summary: "\(category) is in the wrong dictionary",
    why: "The restriction to categories has no effect: every notification is enriched.",
    fix: "Move it into NSExtension/NSExtensionAttributes."
  ) { inspection in
    inspection.services.compactMap { bundle in
      if bundle.info[category] != nil {
        return Fault(bundle, "it is at the top level of the Info.plist")
      }
      if bundle.extensionKeys[category] != nil {
        return Fault(bundle, "it is in NSExtension itself")
      }
      return nil
    }
  }

  private static let categoryType = DoctorRule(
    "category-type", .warning, summary: "\(category) is neither a string nor an array of strings",
    why: "The value is ignored: every notification is enriched.",
    fix: "Make it a string, or an array of strings, none of them empty."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard let value = bundle.extensionKeys["NSExtensionAttributes"]?[category] else {
        return nil
      }
      if value.string?.isEmpty == false { return nil }
      if let names = value.strings, !names.isEmpty, !names.contains("") { return nil }
      return Fault(bundle, "it is \(value.typeName) without a category")
    }
  }
}
