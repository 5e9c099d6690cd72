/// `NSExtension`: how the system finds the class that is given a notification.
extension DoctorRule {
  static let extensionKeys = [
    pointIdentifier, storyboard, principalClass, classWithoutModule, unknownClass, categoryPlace,
    categoryType,
  ]

  private static let pointIdentifier = DoctorRule(
    "point-identifier", .error, "NSExtensionPointIdentifier is not the one of service extensions",
    why: "The system knows the extension by it; with another it is never asked.",
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
    "storyboard", .error, "The service extension names a storyboard",
    why: "It has no interface; the key belongs to content extensions, and keeps it from starting.",
    fix: "Remove NSExtensionMainStoryboard and name a class in NSExtensionPrincipalClass."
  ) { inspection in
    inspection.services.compactMap { bundle in
      bundle.extensionKeys["NSExtensionMainStoryboard"] == nil
        ? nil : Fault(bundle, "NSExtensionMainStoryboard is there")
    }
  }

  private static let principalClass = DoctorRule(
    "principal-class", .error, "NSExtensionPrincipalClass names no class",
    why: "The system has nothing to make an object of: the notification is shown as it came.",
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
    "The principal class is Swift's and stands without its module",
    why: "A Swift class is known as Module.Class; by its bare name the system finds none.",
    fix: "Write $(PRODUCT_MODULE_NAME).Class, or declare the class @objc(Class)."
  ) { inspection in
    readable(inspection).compactMap { bundle, name in
      guard !name.contains("."), !bundle.holds("\0\(name)\0"),
        bundle.holds("\(name.utf8.count)\(name)\0")
      else { return nil }
      return Fault(bundle, "the code has a Swift class \(name), and none known by that bare name")
    }
  }

  private static let unknownClass = DoctorRule(
    "principal-class-unknown", .warning, "The principal class is not in the extension's code",
    why: "It was renamed, is in no file of the target, or was stripped by the linker.",
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

  /// The bundles whose code can be searched for the class that they name.
  private static func readable(_ inspection: Inspection) -> [(InspectedBundle, String)] {
    inspection.services.compactMap { bundle in
      guard let name = bundle.principalClass, !name.isEmpty, !name.contains("$("),
        !bundle.slices.isEmpty, !bundle.slices.contains(where: \.isEncrypted)
      else { return nil }
      return (bundle, name)
    }
  }

  private static let category = "UNNotificationExtensionCategory"

  private static let categoryPlace = DoctorRule(
    "category-place", .warning, "\(category) stands where nobody reads it",
    why: "The restriction to categories does not hold: every notification is enriched.",
    fix: "Move it into NSExtension/NSExtensionAttributes."
  ) { inspection in
    inspection.services.compactMap { bundle in
      if bundle.info[category] != nil { return Fault(bundle, "it stands at the top") }
      if bundle.extensionKeys[category] != nil {
        return Fault(bundle, "it stands in NSExtension itself")
      }
      return nil
    }
  }

  private static let categoryType = DoctorRule(
    "category-type", .warning, "\(category) is neither a string nor an array of strings",
    why: "It counts as absent: every notification is enriched.",
    fix: "Make it a string, or an array of strings, none of them empty."
  ) { inspection in
    inspection.services.compactMap { bundle in
      guard let value = bundle.extensionKeys["NSExtensionAttributes"]?[category] else {
        return nil
      }
      if value.string?.isEmpty == false { return nil }
      if let names = value.strings, !names.isEmpty, !names.contains("") { return nil }
      return Fault(bundle, "it is \(value.typeName) that names no category")
    }
  }
}
