/// Rules about the executables: architectures and system versions.
extension DoctorRule {
  static let executable = [
    noExecutable, architectures, noMinimumSystem, deploymentTarget, highDeploymentTarget,
    simulatorBuild,
  ]

  private static let noExecutable = DoctorRule(
    "executable", .error, summary: "The executable is missing or invalid",
    why: "Without it the installer refuses the app.",
    fix: "Set CFBundleExecutable to $(EXECUTABLE_NAME), and give the target a source file."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard case .success = bundle.infoPlist, case .failure(let error) = bundle.executable else {
        return nil
      }
      return Fault(bundle, error.message)
    }
  }

  private static let architectures = DoctorRule(
    "architecture", .error, summary: "The extension lacks an architecture",
    why: "It does not start on a phone with that architecture.",
    fix: "Set ARCHS to $(ARCHS_STANDARD) for every target, and ONLY_ACTIVE_ARCH to NO in Release."
  ) { inspection in
    let wanted = Set(inspection.app?.slices.map(\.architecture) ?? [])
    return inspection.services.compactMap { bundle in
      let has = Set(bundle.slices.map(\.architecture))
      guard !has.isEmpty else { return nil }
      let missing = wanted.subtracting(has)
      if !missing.isEmpty {
        return Fault(
          bundle, "it lacks \(missing.sorted().joined(separator: ", ")), which the app has")
      }
      guard !bundle.isForSimulator, !inspection.system.isMac,
        has.isDisjoint(with: ["arm64", "arm64e"])
      else { return nil }
      return Fault(bundle, "it has \(has.sorted().joined(separator: ", ")); phones need arm64")
    }
  }

  private static let noMinimumSystem = DoctorRule(
    "minimum-os-version", .error, summary: "An Info.plist does not say which system it needs",
    why: "The App Store refuses a bundle without MinimumOSVersion (ITMS-90360).",
    fix: "Build with Xcode, which writes IPHONEOS_DEPLOYMENT_TARGET there; a script that makes the "
      + "Info.plist must do so too.",
    needs: [.device]
  ) { inspection in
    (inspection.subjects + inspection.contentExtensions).compactMap { bundle in
      guard case .success(let info) = bundle.infoPlist else { return nil }
      guard let value = info["MinimumOSVersion"] else {
        return Fault(bundle, "it has no MinimumOSVersion")
      }
      guard value.string.flatMap({ Version($0) }) == nil else { return nil }
      return Fault(
        bundle,
        "MinimumOSVersion is \(value.string.map { quoted($0) } ?? value.typeName), not a version")
    }
  }

  private static let deploymentTarget = DoctorRule(
    "deployment-target", .error, summary: "The extension needs a newer system than the app",
    why: "On systems between the two versions the app runs, but its extension silently does not.",
    fix:
      "Set the extension's IPHONEOS_DEPLOYMENT_TARGET to the app's; a new target has the newest.",
    needs: [.app]
  ) { inspection in
    guard let apps = inspection.app?.minimumSystem else { return [] }
    return inspection.services.compactMap { bundle in
      guard let mine = bundle.minimumSystem, mine > apps else { return nil }
      return Fault(bundle, "it needs \(mine), the app \(apps)")
    }
  }

  /// The minimum version that most phones have; the default of a new target is later.
  static let usualSystem = "18.0"

  private static let highDeploymentTarget = DoctorRule(
    "deployment-target-high", .note,
    summary: "The extension needs a newer system than most phones have",
    why: "Xcode sets a new target to the newest system, which is seldom intended.",
    fix: "Set IPHONEOS_DEPLOYMENT_TARGET to the app's."
  ) { inspection in
    guard inspection.app == nil, inspection.system == .iOS, let usual = Version(usualSystem) else {
      return []
    }
    return inspection.services.compactMap { bundle in
      guard let mine = bundle.minimumSystem, mine > usual else { return nil }
      return Fault(bundle, "it needs \(mine)")
    }
  }

  private static let simulatorBuild = DoctorRule(
    "simulator-build", .note, summary: "The bundle was built for the Simulator",
    why: "The Simulator needs no signature, so none was checked.",
    fix: "Check the archive that Product > Archive makes before you ship."
  ) { inspection in
    inspection.subjects.filter(\.isForSimulator).prefix(1).map {
      Fault($0, "it runs in the Simulator only")
    }
  }
}
