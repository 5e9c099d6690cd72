/// The machine code: whether there is any, for which machines, and for which systems.
extension DoctorRule {
  static let executable = [
    noExecutable, architectures, deploymentTarget, highDeploymentTarget, simulatorBuild,
  ]

  private static let noExecutable = DoctorRule(
    "executable", .error, "The executable is missing, or is none",
    why: "There is nothing to start: the installer refuses the app.",
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
    "architecture", .error, "The extension lacks an architecture that is needed",
    why: "On a phone whose architecture it lacks it does not start.",
    fix: "Let ARCHS be $(ARCHS_STANDARD) for every target, and ONLY_ACTIVE_ARCH be NO in Release."
  ) { inspection in
    let wanted = Set(inspection.app?.slices.map(\.architecture) ?? [])
    return inspection.services.compactMap { bundle in
      let has = Set(bundle.slices.map(\.architecture))
      guard !has.isEmpty else { return nil }
      let missing = wanted.subtracting(has)
      if !missing.isEmpty {
        return Fault(bundle, "the app has \(missing.sorted().joined(separator: ", ")), it has not")
      }
      guard !bundle.isForSimulator, has.isDisjoint(with: ["arm64", "arm64e"]) else { return nil }
      return Fault(bundle, "it has \(has.sorted().joined(separator: ", ")), and phones are arm64")
    }
  }

  private static let deploymentTarget = DoctorRule(
    "deployment-target", .error, "The extension asks for a newer system than the app",
    why: "On the systems between the two the app runs and its extension does not, without a word.",
    fix:
      "Set the extension's IPHONEOS_DEPLOYMENT_TARGET to the app's; a new target has Xcode's newest.",
    needs: [.app]
  ) { inspection in
    guard let apps = inspection.app?.minimumSystem else { return [] }
    return inspection.services.compactMap { bundle in
      guard let mine = bundle.minimumSystem, mine > apps else { return nil }
      return Fault(bundle, "it needs \(mine), the app \(apps)")
    }
  }

  /// What most phones have at least; a new target asks for more.
  static let usualSystem = "18.0"

  private static let highDeploymentTarget = DoctorRule(
    "deployment-target-high", .note, "The extension asks for a newer system than most phones have",
    why: "Xcode gives a new target the newest system, which is seldom meant.",
    fix: "Set IPHONEOS_DEPLOYMENT_TARGET to the app's."
  ) { inspection in
    guard inspection.app == nil, let usual = Version(usualSystem) else { return [] }
    return inspection.services.compactMap { bundle in
      guard let mine = bundle.minimumSystem, mine > usual else { return nil }
      return Fault(bundle, "it needs \(mine)")
    }
  }

  private static let simulatorBuild = DoctorRule(
    "simulator-build", .note, "It was built for the Simulator",
    why: "The Simulator asks for no signature, so none was examined.",
    fix: "Examine what Product, Archive made before it is shipped."
  ) { inspection in
    inspection.subjects.filter(\.isForSimulator).prefix(1).map {
      Fault($0, "it runs in the Simulator alone")
    }
  }
}
