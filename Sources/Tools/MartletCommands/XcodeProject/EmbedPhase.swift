/// A phase of an app's target that copies files into the app, such as extensions.
struct EmbedPhase: Sendable {
  let object: XcodeProject.Object

  /// Returns `nil` if the phase does not copy files.
  init?(_ object: XcodeProject.Object) {
    guard object.isa == "PBXCopyFilesBuildPhase" else { return nil }
    self.object = object
  }

  var name: String { object.string("name") ?? "CopyFiles" }

  /// Whether the destination is the app's folder PlugIns, in which iOS looks for extensions.
  ///
  /// Newer formats have the folder's name instead of its number.
  var isForPlugIns: Bool {
    let number = object.string("dstSubfolderSpec")
    let folder = object.string("dstSubfolder")
    return (number ?? "13") == "13" && (folder ?? "PlugIns") == "PlugIns"
      && !(number == nil && folder == nil) && (object.string("dstPath") ?? "").isEmpty
  }

  /// Whether the phase runs in every build.
  ///
  /// "Copy only when installing" excludes it from builds that are run from Xcode, and makes the mask 8.
  var isInEveryBuild: Bool {
    (object.string("runOnlyForDeploymentPostprocessing") ?? "0") == "0"
      && (object.string("buildActionMask") ?? Self.everyBuild) == Self.everyBuild
  }

  /// The build action mask of a phase that runs in every build.
  static let everyBuild = "2147483647"
}

extension XcodeProject {
  /// The phases of an app that copy files.
  func embedPhases(of app: Object) -> [EmbedPhase] { phases(of: app).compactMap { EmbedPhase($0) } }

  /// The phase of an app to which an extension can be added; `nil` if the app needs a new one.
  func embedPhase(of app: Object) -> EmbedPhase? {
    embedPhases(of: app).first { $0.isForPlugIns && $0.isInEveryBuild }
  }

  /// The name of a new phase, which must differ from the app's other phases.
  func newEmbedPhaseName(in app: Object) -> String {
    let usual = "Embed Foundation Extensions"
    let isTaken = embedPhases(of: app).contains { $0.name == usual }
    return isTaken ? "Embed Notification Extensions" : usual
  }

  /// The key and value for the folder PlugIns in a phase, in the project's format.
  var plugInsFolder: (String, XcodeValue) {
    let phases = all("PBXCopyFilesBuildPhase")
    let isNewer =
      phases.contains { $0.string("dstSubfolder") != nil }
      && !phases.contains { $0.string("dstSubfolderSpec") != nil }
    return isNewer
      ? ("dstSubfolder", .string("PlugIns")) : ("dstSubfolderSpec", .string("13"))
  }
}
