import Foundation
import UserNotifications
import _Spawn

/// Runs the extension as a process of its own, one for each notification.
struct ChildExtension: ExtensionRunning {
  /// The variable by which a program knows that a host has started it.
  static let mark = "MARTLET_EXTENSION_HOST"

  let program: ExtensionProcess
  let app: NotificationHost.App
  let clock: any HostClock
  let behavior: HostBehavior
  let store: AttachmentStore

  func start(
    _ request: RequestCopy, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    let run = ChildRun(self, events: events)
    run.begin(request)
    return run
  }

  func spawn() throws(SpawnError) -> ConnectedProcess {
    try ConnectedProcess(
      program.executable.path(percentEncoded: false), program.arguments,
      environment: [
        Self.mark: "1",
        "TMPDIR": app.temporaryDirectory.path(percentEncoded: false),
        // The backtracer outlives the crash by seconds, and is memory of the extension's.
        "SWIFT_BACKTRACE": "enable=no",
      ])
  }

  func assignment(_ request: RequestCopy) -> Assignment {
    Assignment(
      identifier: request.object.identifier, content: WireContent(request.object.content),
      temporaryDirectory: app.temporaryDirectory, bundle: app.bundle, appGroup: app.appGroup,
      extensionCategories: app.extensionCategories, categories: WireCategory.all(in: app.center),
      transportSecurity: app.transportSecurity, freeDiskSpace: app.freeDiskSpace,
      checksFileAtInit: behavior.checksFileAtInit, megabyte: behavior.megabyte,
      configuration: program.configuration)
  }
}

extension ExtensionEnd {
  /// What the end of its process means.
  init(_ ending: ConnectedProcess.Ending, isStarted: Bool) {
    let how: String =
      switch ending {
      case .exited(let code): "ended by itself with exit code \(code)"
      case .killed(let signal): "crashed with signal \(signal)"
      }
    guard isStarted else {
      self.init(
        rule: .failedStart, message: "the extension \(how) before it called ExtensionMain")
      return
    }
    switch ending {
    case .exited: self.init(rule: .exited, message: "the extension \(how)")
    case .killed: self.init(rule: .crashed, message: "the extension \(how)")
    }
  }
}
