#if os(Linux)
  package import Foundation

  /// The programs that tests start as processes.
  package enum BuiltProgram {
    /// The folder that `TESTED_PROGRAMS` names, such as that of a release build; `nil` if the variable is not set.
    package static let otherFolder = ProcessInfo.processInfo.environment["TESTED_PROGRAMS"]
      .map { URL(filePath: $0, directoryHint: .isDirectory).absoluteURL }

    /// The folder of the programs under test: `otherFolder`, or else the build that the tests belong to.
    package static let folder =
      otherFolder ?? URL(filePath: CommandLine.arguments[0]).absoluteURL.deletingLastPathComponent()

    package static let martlet = path("martlet")

    package static func path(_ name: String) -> String { folder.appending(path: name).path }
  }
#endif
