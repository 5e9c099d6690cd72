import Foundation
import Glibc
import MediaLoading
package import PushPayload
package import RichNotifications
@_spi(Host) public import UserNotifications
import _Spawn

/// The main program of a service extension that a ``VirtualPhone`` runs as a separate process.
///
/// It is an executable target with these lines:
///
/// ```swift
/// import NotificationHost
///
/// ExtensionMain.run { NotificationService() }
/// ```
///
/// In this process, a `RichNotificationService` that does not override `environment` uses the host's network and
/// clock.
public enum ExtensionMain {
  /// Runs an extension for the host that started this program.
  ///
  /// The process ends with its host. If it was not started by a host, it prints an error and exits with status
  /// 2.
  ///
  /// - Parameter makeExtension: Creates an instance of the class that is `NSExtensionPrincipalClass` in the Info.plist.
  /// - Returns: Never.
  public static func run(
    _ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) -> Never {
    run { _ in makeExtension() }
  }

  /// Runs an extension that a closure creates from the values of the host.
  package static func run(
    _ make: @escaping @Sendable (ExtensionContext) -> UNNotificationServiceExtension
  ) -> Never {
    guard FrameChannel.isSocket(ConnectedProcess.descriptor),
      ProcessInfo.processInfo.environment[ChildExtension.environmentVariable] != nil
    else {
      FileHandle.standardError.write(
        Data(
          "this program is a notification service extension; it must be started by a VirtualPhone\n"
            .utf8))
      exit(2)
    }
    let channel = FrameChannel(descriptor: ConnectedProcess.descriptor)
    Thread.detachNewThread {
      startDispatch()
      HostedExtension(channel, make: make).run()
      _exit(0)  // The host has ended, so the extension's remaining work is abandoned.
    }
    // Runs the main queue, the main actor, and timers of the main run loop.
    while true { RunLoop.main.run() }
  }
}

extension ExtensionMain {
  /// Starts Dispatch's own timer, so that the host does not mistake it for a timer of the extension.
  fileprivate static func startDispatch() {
    let started = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { started.signal() }
    started.wait()
  }
}

/// The values that create an extension for one notification.
package struct ExtensionContext: Sendable {
  /// The host's network, clock and files.
  package var environment: RichEnvironment
  /// The configuration of the ``ExtensionProcess``.
  package var configuration: JSONValue
  package var host: HostConnection
  package var bundle: URL?
}

/// The extension's end of the channel to its host.
final class HostedExtension: Sendable {
  private let channel: FrameChannel
  private let host: HostConnection
  private let make: @Sendable (ExtensionContext) -> UNNotificationServiceExtension
  private let instance = Locked<Instance?>(nil)
  /// The environment of the UserNotifications replacement.
  private let world = Locked(UNWorld())
  private let hasReplied = Locked(false)
  /// Signaled for each call of the handler when the host has accepted its content.
  private let replyAccepted = DispatchSemaphore(value: 0)

  /// An instance of the extension.
  ///
  /// `@unchecked Sendable`: as on a phone, `didReceive` and `serviceExtensionTimeWillExpire` are called on
  /// different threads, and the extension must synchronize its own state.
  private struct Instance: @unchecked Sendable {
    let object: UNNotificationServiceExtension
  }

  init(
    _ channel: FrameChannel,
    make: @escaping @Sendable (ExtensionContext) -> UNNotificationServiceExtension
  ) {
    self.channel = channel
    self.make = make
    host = HostConnection(channel)
  }

  /// Reads messages until the host has ended.
  func run() {
    host.send(.ready)
    while let bytes = channel.receive(), let frame = Frame<HostMessage>(bytes) {
      switch frame {
      case .piece(let call, let load, let piece): host.receive(piece, call: call, load: load)
      case .message(let message): receive(message)
      }
    }
  }

  private func receive(_ message: HostMessage) {
    switch message {
    case .receive(let call, let input):
      var world = input.world(host: host)
      world.notModelled = { [host] in host.send(.notModelled($0)) }
      world.hasNotification = { [hasReplied] in !hasReplied.withLock { $0 } }
      world.schedule = { [host] delay, work in
        let work = host.schedule(after: delay, work)
        return { work.cancel() }
      }
      self.world.withLock { [world] in $0 = world }
      world.becomeLast()
      onThread(call) { self.begin(input) }
    case .warn(let call):
      onThread(call) {
        self.instance.withLock { $0 }?.object.serviceExtensionTimeWillExpire()
      }
    case .fire(let call, let work): host.fire(call: call, work: work)
    case .head(let call, let load, let status, let headers):
      host.receive(MediaResponseHead(status: status, headers: headers), call: call, load: load)
    case .finish(let call, let load, let error):
      host.finish(call: call, load: load, error: error?.error)
    case .time(let reply, let time): host.receive(time: time, reply: reply)
    case .replyAccepted: replyAccepted.signal()
    }
  }

  private func begin(_ input: ExtensionInput) {
    let app = input.app(host: host)
    WireCategory.set(input.categories, in: app.center)
    let environment = RichEnvironment(app: app, clock: host)
    HostedServices(environment: environment, info: input.extensionInfo).run {
      let context = ExtensionContext(
        environment: environment, configuration: input.configuration, host: host,
        bundle: input.bundle)
      let instance = Instance(object: make(context))
      self.instance.withLock { $0 = instance }
      host.send(.launched)
      let request = UNNotificationRequest(
        identifier: input.identifier, content: input.content.content,
        trigger: UNPushNotificationTrigger())
      instance.object.didReceive(request) { self.reply($0, app.center) }
    }
  }

  /// Sends the content and waits until the host has moved its files, as the system's handler does.
  private func reply(_ content: UNNotificationContent, _ center: UNUserNotificationCenter) {
    host.send(.replied(WireContent(content), categories: WireCategory.all(in: center)))
    hasReplied.withLock { $0 = true }
    replyAccepted.wait()
  }

  /// Runs a call of the extension on a new thread, never the main thread.
  private func onThread(_ call: Int, _ body: @escaping @Sendable () -> Void) {
    let world = world.withLock { $0 }
    Thread.detachNewThread {
      world.run(body)
      self.host.send(.done(call: call, stops: false))
    }
  }
}

extension ExtensionInput {
  /// The app as this process sees it, with the host's network.
  fileprivate func app(host: HostConnection) -> VirtualPhone.App {
    var app = VirtualPhone.App(container: container)
    app.center = .current()
    app.temporaryDirectory = temporaryDirectory
    (app.bundle, app.extensionBundle) = (bundle, extensionBundle)
    (app.appGroup, app.appGroupIdentifier) = (appGroup, appGroupIdentifier)
    (app.extensionInfo, app.extensionCategories) = (extensionInfo, extensionCategories)
    app.network = host
    app.transportSecurity = transportSecurity
    app.freeDiskSpace = freeDiskSpace
    app.entitlements.extensionKeychainGroups = keychainGroups
    app.lockState = LockState(rawValue: lockState)
    return app
  }

  /// The environment of the UserNotifications replacement in this process.
  fileprivate func world(host: HostConnection) -> UNWorld {
    var behavior = HostBehavior()
    behavior.checksFileAtInit = checksFileAtInit
    behavior.megabyte = megabyte
    return UNWorld(app: app(host: host), clock: host, behavior: behavior)
  }
}
