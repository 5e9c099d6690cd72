/// Rules about the place of the extension in the app, and about code inside it.
extension DoctorRule {
  static let embedding = [
    noApp, noServiceExtension, misplacedExtension, severalServiceExtensions, nestedCode,
    unresolvedFramework, appNotSeen, otherExtension,
  ]

  private static let noApp = DoctorRule(
    "no-app", .error, summary: "There is not exactly one app in the archive",
    why: "An .ipa has one app in Payload, an .xcarchive one in Products/Applications.",
    fix: "Archive the app's scheme; set SKIP_INSTALL to NO for the app and YES for all it embeds."
  ) { inspection in
    guard inspection.kind == .ipa || inspection.kind == .xcarchive, inspection.appCount != 1
    else { return [] }
    let folder = inspection.kind == .ipa ? "Payload" : "Products/Applications"
    return [Fault(folder, "it has \(inspection.appCount) apps; it must have one")]
  }

  private static let noServiceExtension = DoctorRule(
    "no-service-extension", .error, summary: "The app embeds no notification service extension",
    why: "Nothing fetches the media: every notification is shown as plain text.",
    fix: "Add the extension to the app target's Embed Foundation Extensions phase, destination "
      + "PlugIns, with Copy only when installing unticked.",
    needs: [.app]
  ) { inspection in
    guard let app = inspection.app, inspection.services.isEmpty else { return [] }
    let others = inspection.extensions.map { bundle in
      let point = bundle.point ?? bundle.extensionKitPoint
      return bundle.name + (point.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
    return [
      Fault(
        app,
        others.isEmpty
          ? "PlugIns has no extension" : "it embeds \(others), but no service extension")
    ]
  }

  private static let misplacedExtension = DoctorRule(
    "extension-misplaced", .error,
    summary: "An extension is in a folder where the system does not look",
    why: "Extensions are found in the app's PlugIns folder only, and the store refuses others. The "
      + "folder Extensions is for those of ExtensionKit.",
    fix: "In the app target's Embed Foundation Extensions phase choose the destination PlugIns."
  ) { inspection in
    inspection.misplaced.map { Fault($0, "it belongs in the app's PlugIns") }
  }

  private static let severalServiceExtensions = DoctorRule(
    "several-service-extensions", .warning,
    summary: "The app embeds several notification service extensions",
    why: "iOS runs one of them, and does not document which; the others never get a notification.",
    fix: "Keep one, and call the code of the others from it."
  ) { inspection in
    let services = inspection.services.filter { $0.point == Inspection.servicePoint }
    return services.dropFirst().map { Fault($0, "\(services[0].name) is a service extension too") }
  }

  private static let nestedCode = DoctorRule(
    "nested-frameworks", .error, summary: "The extension contains frameworks or bundles with code",
    why: "The App Store refuses them (ITMS-90205, ITMS-90206): an extension uses the app's.",
    fix: "Embed them in the app only, set ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES to NO for the "
      + "extension, or link statically, as Martlet's package does.",
    needs: [.device]
  ) { inspection in
    inspection.extensions.compactMap { bundle in
      let nested = bundle.files.lazy.compactMap { file in
        file.split(separator: "/").dropLast().first {
          $0 == "Frameworks" || $0 == "PlugIns" || $0.hasSuffix(".framework")
        }
      }
      return nested.min().map { Fault(bundle, "it contains \($0)") }
    }
  }

  private static let unresolvedFramework = DoctorRule(
    "framework-not-found", .error, summary: "The extension links a framework that it does not find",
    why: "It crashes at its start, and the notification is shown unchanged.",
    fix: "Embed the framework in the app, and add "
      + "@executable_path/../../Frameworks (on the Mac @executable_path/../../../../Frameworks) to "
      + "the extension's LD_RUNPATH_SEARCH_PATHS.",
    needs: [.app]
  ) { inspection in
    guard let app = inspection.app else { return [] }
    return inspection.services.flatMap { bundle in
      let libraries = Set(bundle.slices.flatMap(\.libraries)).filter { $0.hasPrefix("@rpath/") }
      // On a Mac, the executable is two folders deeper, in Contents/MacOS.
      let way = bundle.hasContents ? "/../../../../Frameworks" : "/../../Frameworks"
      let looksInApp = bundle.slices.allSatisfy { slice in
        slice.searchPaths.contains { $0.hasSuffix(way) }
      }
      return libraries.sorted().compactMap { library -> Fault? in
        let file = String(library.dropFirst("@rpath/".count))
        // Swift's own libraries have been part of the system since iOS 12.2.
        guard !file.hasPrefix("libswift"), !bundle.files.contains("Frameworks/" + file),
          !bundle.files.contains(file)
        else { return nil }
        guard app.files.contains("Frameworks/" + file) else {
          return Fault(bundle, "\(file) is not in the app's Frameworks")
        }
        return looksInApp ? nil : Fault(bundle, "no search path leads to the app's \(file)")
      }
    }
  }

  private static let appNotSeen = DoctorRule(
    "app-not-seen", .note, summary: "An extension was examined without its app",
    why: "The values that must agree between the two were not compared.",
    fix: "Name the .app, .ipa or .xcarchive that contains it."
  ) { inspection in
    inspection.kind == .appex
      ? inspection.services.map { Fault($0, "it was given without its app") } : []
  }

  private static let otherExtension = DoctorRule(
    "other-extension", .note, summary: "The extension is of another kind",
    why: "The rules are those of notification service extensions; none of them was checked.",
    fix: "Name the service extension, or the app that embeds it."
  ) { inspection in
    guard inspection.kind == .appex else { return [] }
    return inspection.otherExtensions.map { bundle in
      Fault(bundle, "its extension point is \(quoted(bundle.point ?? bundle.extensionKitPoint))")
    }
  }
}
