/// A tool that makes or owns an app's Xcode project, to which the extension is added.
enum BuildTool: String, CaseIterable, Sendable {
  case xcodegen, tuist, cocoapods, expo, flutter, capacitor

  /// The name in the tool's own spelling.
  var title: String {
    switch self {
    case .xcodegen: "XcodeGen"
    case .tuist: "Tuist"
    case .cocoapods: "CocoaPods"
    case .expo: "Expo"
    case .flutter: "Flutter"
    case .capacitor: "Capacitor"
    }
  }

  /// The section of the README, without its heading.
  func section(of project: ExtensionProject) -> String {
    switch self {
    case .xcodegen: project.xcodeGenSection
    case .tuist: project.tuistSection
    case .cocoapods: project.cocoaPodsSection
    case .expo: project.expoSection
    case .flutter: project.flutterSection
    case .capacitor: project.capacitorSection
    }
  }

  /// The step that is printed first, for all written extensions together.
  func step(of projects: [ExtensionProject]) -> String {
    let folders = projects.map(\.folder).joined(separator: " and ")
    let place = projects.count == 1 ? "this folder" : folders
    let readme =
      projects.count == 1
      ? "README.md" : projects.map { "\($0.folder)/README.md" }.joined(separator: " and ")
    // The command line for the content extension also adds the service extension.
    func run(_ path: String) -> String {
      "Run " + (projects.last?.initLine(path: path) ?? "")
    }
    return switch self {
    case .xcodegen:
      "Add project.yml of \(place) to the include list of the app's own, and run xcodegen."
    case .tuist: "Add the lines in \(readme) to Project.swift, and run tuist generate."
    case .cocoapods: run("\(projects.last?.appName ?? "").xcodeproj")
    case .expo:
      "Add the lines in \(readme) to app.json, and run npx expo prebuild --platform ios."
    case .flutter: run("ios/Runner.xcodeproj")
    case .capacitor: run("ios/App/App.xcodeproj")
    }
  }
}
