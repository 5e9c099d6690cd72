/// A tool that makes or owns an app's Xcode project, and into which the extension is to be put.
enum BuildTool: String, CaseIterable, Sendable {
  case xcodegen, tuist, cocoapods, expo, flutter, capacitor

  /// The name as the tool itself writes it.
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

  /// The step that is printed first.
  func step(of project: ExtensionProject) -> String {
    switch self {
    case .xcodegen:
      "Add project.yml of this folder to the include list of the app's own, and run xcodegen."
    case .tuist: "Add the lines in README.md to Project.swift, and run tuist generate."
    case .cocoapods: "Run \(project.initLine(path: "\(project.appName).xcodeproj"))"
    case .expo:
      "Add the lines in README.md to app.json, and run npx expo prebuild --platform ios."
    case .flutter: "Run \(project.initLine(path: "ios/Runner.xcodeproj"))"
    case .capacitor: "Run \(project.initLine(path: "ios/App/App.xcodeproj"))"
    }
  }
}
