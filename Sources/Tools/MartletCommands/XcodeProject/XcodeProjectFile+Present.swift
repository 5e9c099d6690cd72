import BundleDoctor

extension XcodeProjectFile {
  /// Checks an extension that the project already has with those of the doctor's rules that a project can break.
  ///
  /// - Throws: ``CommandFailure`` with each problem between the extension and its app.
  func checkPresent(
    _ target: XcodeProject.Object, of app: XcodeProject.Object, bundleID: String
  ) throws(CommandFailure) {
    var faults: [String] = []
    for fault in embeddingFaults(of: target, in: app)
      + configurationFaults(of: target, app: app, bundleID: bundleID)
    where !faults.contains(fault) {
      faults.append(fault)
    }
    guard !faults.isEmpty else { return }
    throw CommandFailure(
      "\(path) has the extension \"\(target.name)\" already, but "
        + faults.joined(separator: "; "))
  }

  private func embeddingFaults(
    of target: XcodeProject.Object, in app: XcodeProject.Object
  ) -> [String] {
    let product = target.string("productReference")
    let phases = project.embedPhases(of: app).filter { phase in
      project.objects(phase.object.strings("files")).contains { $0.string("fileRef") == product }
    }
    guard let first = phases.first else {
      return [
        "no phase of \(app.name) embeds it: add it to the app's Embed Foundation Extensions phase "
          + "[no-service-extension]"
      ]
    }
    // One correct phase is sufficient.
    if phases.contains(where: { $0.isForPlugIns && $0.isInEveryBuild }) { return [] }
    guard first.isForPlugIns else {
      return [
        "the phase \"\(first.name)\" copies it to another folder: choose the destination PlugIns "
          + "[extension-misplaced]"
      ]
    }
    return [
      "the phase \"\(first.name)\" copies it only when installing, so that builds that are run from "
        + "Xcode lack it: untick Copy only when installing [no-service-extension]"
    ]
  }

  private func configurationFaults(
    of target: XcodeProject.Object, app: XcodeProject.Object, bundleID: String
  ) -> [String] {
    project.configurations(of: target).flatMap { mine -> [String] in
      guard
        let apps = project.configurations(of: app).first(where: {
          $0.string("name") == mine.string("name")
        })
      else { return [] }
      return [
        prefixFault(mine, apps, in: target, bundleID: bundleID),
        systemFault(mine, apps, in: target),
      ].compactMap(\.self)
    }
  }

  /// The fault of a bundle id that does not begin with the app's, for example after the app's was changed.
  private func prefixFault(
    _ mine: XcodeProject.Object, _ apps: XcodeProject.Object, in target: XcodeProject.Object,
    bundleID: String
  ) -> String? {
    let literal = { (configuration: XcodeProject.Object) in
      project.setting("PRODUCT_BUNDLE_IDENTIFIER", of: configuration)
        .flatMap { $0.contains("$") ? nil : $0 }
    }
    let wanted = literal(apps) ?? bundleID
    guard let id = literal(mine), !id.hasPrefix(wanted + ".") else { return nil }
    return
      "its bundle id is \(id), and the app's is \(wanted): set PRODUCT_BUNDLE_IDENTIFIER of "
      + "\(target.name) to \(wanted).\(target.name) [bundle-id-prefix]"
  }

  private func systemFault(
    _ mine: XcodeProject.Object, _ apps: XcodeProject.Object, in target: XcodeProject.Object
  ) -> String? {
    guard let own = deploymentTarget(mine), let app = deploymentTarget(apps), own > app
    else { return nil }
    return
      "it needs iOS \(own), and the app \(app): set IPHONEOS_DEPLOYMENT_TARGET of \(target.name) "
      + "to \(app) [deployment-target]"
  }

  /// The deployment target of a target's configuration; `nil` if only a configuration file may have it.
  private func deploymentTarget(_ configuration: XcodeProject.Object) -> Version? {
    let key = "IPHONEOS_DEPLOYMENT_TARGET"
    if let own = project.setting(key, of: configuration) { return Version(own) }
    guard configuration.string("baseConfigurationReference") == nil else { return nil }
    let projects = project.configurations(of: project.root).first {
      $0.string("name") == configuration.string("name")
    }
    return project.setting(key, of: projects).flatMap { Version($0) }
  }
}
