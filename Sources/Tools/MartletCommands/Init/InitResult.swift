import PushPayload

/// The files that `martlet init` wrote, and the steps that remain.
struct InitResult: Sendable {
  /// The written or changed files.
  let paths: [String]
  /// The extensions that were written or already exist.
  let projects: [ExtensionProject]
  /// The reason why nothing was written.
  var note: String?
  /// The service extension that the app had before its content extension was written.
  var service: PresentExtension?
  /// The app's iOS deployment target, if it is older than Martlet's.
  var oldSystem: String?
  /// The app's phases that copy extensions only when installing, and that were therefore not used.
  var phasesForInstalling: [String] = []
  /// The new phase that embeds the extensions; empty if the app had one.
  var newPhase = ""

  private var appName: String { projects.first?.appName ?? "" }
  private var appGroup: String { projects.first?.appGroup ?? "" }
  private var bundleID: String { projects.first?.bundleID ?? "" }

  /// The remaining steps, in order.
  private var steps: [String] {
    if note != nil { return [] }
    let ids = projects.map(\.extensionID).joined(separator: ", ")
    let each = projects.count == 1 ? "both bundle ids" : "all bundle ids"
    let hasContent = projects.contains { $0.kind == .content }
    return raising + embedding + toolSteps + serviceSteps + [
      "Merge App.entitlements into the app's entitlements.",
      "At developer.apple.com register \(ids) and \(appGroup), and turn App Groups on for "
        + "\(each) and Push Notifications on for \(bundleID).",
      "Send with mutable-content: 1\(hasContent ? " and one of the categories" : ""), archive, and check "
        + "the archive with martlet doctor.",
    ]
  }

  private var raising: [String] {
    guard let oldSystem else { return [] }
    let them = projects.count == 1 ? "extension's" : "extensions'"
    return [
      "Raise the iOS deployment target of \(appName) from \(oldSystem) to 16.0 or later, and the "
        + "\(them) with it: Martlet needs it."
    ]
  }

  private var embedding: [String] {
    phasesForInstalling.map { phase in
      let what = projects.count == 1 ? "the new extension is" : "the new extensions are"
      return
        "Untick Copy only when installing of the phase \(phase), if what it embeds belongs in each build: "
        + "\(what) in the phase \(newPhase) instead."
    }
  }

  /// The steps that add the extensions to the project, if they are not in it yet.
  private var toolSteps: [String] {
    guard let first = projects.first, first.projectPath == nil else { return [] }
    guard first.tools.isEmpty else { return first.tools.map { $0.step(of: projects) } }
    let place =
      projects.count == 1 ? "this folder" : projects.map(\.folder).joined(separator: " and ")
    return [
      "With XcodeGen: add project.yml of \(place) to the include list of the app's own and "
        + "run xcodegen. Without: README.md has the steps in Xcode."
    ]
  }

  /// The steps for an existing service extension, so that it prepares the media of the content extension.
  private var serviceSteps: [String] {
    guard let service, let content = projects.first(where: { $0.kind == .content }) else {
      return []
    }
    var steps: [String] = []
    if service.appGroup == nil {
      steps.append(
        "Make the class of \(service.name) a RichNotificationService, with AppGroup \(appGroup) under "
          + "Martlet in its Info.plist and the group in its entitlements: it prepares the media.")
    }
    let missing = content.content.categories.filter { !service.categories.contains($0) }
    if !service.categories.isEmpty, !missing.isEmpty {
      steps.append(
        "Add to UNNotificationExtensionCategory in the Info.plist of \(service.name), which prepares media "
          + "of these categories only: \(missing.joined(separator: ", ")).")
    }
    return steps
  }

  func lines(isQuiet: Bool) -> [String] {
    var lines = paths + (note.map { [$0] } ?? [])
    if !isQuiet, !steps.isEmpty {
      lines.append("next:")
      lines += steps.enumerated().map { "  \($0 + 1). \($1)" }
    }
    return lines
  }

  var json: JSONValue {
    let extensions = projects.map { project -> JSONValue in
      var members: [String: JSONValue] = [
        "target": .string(project.target), "bundleID": .string(project.extensionID),
      ]
      if project.kind == .content {
        members["categories"] = .array(project.content.categories.map(JSONValue.string))
        members["ratio"] = .number(project.content.ratio)
      }
      return .object(members)
    }
    return [
      "files": .array(paths.map(JSONValue.string)),
      "bundleID": .string(projects.first?.extensionID ?? ""), "appGroup": .string(appGroup),
      "extensions": .array(extensions), "steps": .array(steps.map(JSONValue.string)),
    ]
  }
}
