import Foundation
import UserNotifications
import _Spawn

/// A runner that starts the extension as a separate process for each notification.
struct ChildExtension: ExtensionRunner {
  /// The environment variable that tells a program that a host has started it.
  static let environmentVariable = "MARTLET_EXTENSION_HOST"

  let program: ExtensionProcess
  var app: VirtualPhone.App
  let clock: any HostClock
  let behavior: HostBehavior
  let store: AttachmentStore

  func start(
    _ request: RequestCopy, record: RunRecord, scope: RunScope,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    var child = self
    child.app.network = app.network.map { RunNetwork(network: record.recording($0), scope: scope) }
    let run = ChildRun(child, scope: scope, record: record, events: events)
    run.begin(request)
    return run
  }

  func spawn() throws(SpawnError) -> ConnectedProcess {
    let container = app.container.path(percentEncoded: false)
    return try ConnectedProcess(
      program.executable.path(percentEncoded: false), program.arguments,
      environment: [
        Self.environmentVariable: "1",
        // For Foundation's own functions in files that do not import UserNotifications.
        "TMPDIR": app.temporaryDirectory.path(percentEncoded: false),
        "HOME": container, "CFFIXED_USER_HOME": container,
        "XDG_CACHE_HOME": container + "/Library/Caches",
        "XDG_CONFIG_HOME": container + "/Library/Preferences",
        "XDG_DATA_HOME": container + "/Library/Application Support",
        // The backtracer runs for seconds after a crash, and its memory counts as the extension's.
        "SWIFT_BACKTRACE": "enable=no",
      ])
  }

  func input(_ request: RequestCopy) -> ExtensionInput {
    ExtensionInput(
      identifier: request.object.identifier, content: WireContent(request.object.content),
      temporaryDirectory: app.temporaryDirectory, container: app.container, bundle: app.bundle,
      extensionBundle: app.extensionBundle, appGroup: app.appGroup,
      appGroupIdentifier: app.appGroupIdentifier, extensionInfo: app.extensionInfo,
      extensionCategories: app.extensionCategories, categories: WireCategory.all(in: app.center),
      transportSecurity: app.transportSecurity, freeDiskSpace: app.freeDiskSpace,
      keychainGroups: app.entitlements.extensionKeychainGroups, lockState: app.lockState.rawValue,
      checksFileAtInit: behavior.checksFileAtInit, megabyte: behavior.megabyte,
      configuration: program.configuration)
  }
}

extension ExtensionEnd {
  /// Describes the end of an extension's process.
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
