import Foundation
import Glibc
import MediaLoading
package import PushPayload
package import RichNotifications
@_spi(Host) public import UserNotifications
import _Spawn

/// The main program of a service extension that a ``NotificationHost`` runs as a process of its own.
///
/// An executable target of three lines:
///
/// ```swift
/// import NotificationHost
///
/// ExtensionMain.run(NotificationService.self)
/// ```
///
/// A `RichNotificationService` has the host's network and clock there, as long as it does not override
/// `environment`: what a test scripts is what it sees, and thirty seconds take none.
public enum ExtensionMain {
  /// Serves the host that started this program; never returns.
  ///
  /// Started by hand, it says so and ends with status 2. Where the host ends, so does it.
  ///
  /// - Parameter principalClass: The class that the Info.plist names as `NSExtensionPrincipalClass`.
  /// - Returns: Never.
  public static func run(_ principalClass: UNNotificationServiceExtension.Type) -> Never {
    run { _ in principalClass.init() }
  }

  /// Serves the host with an extension that is made for it.
  package static func run(
    _ make: @escaping @Sendable (ExtensionSurroundings) -> UNNotificationServiceExtension
  ) -> Never {
    guard FrameChannel.isSocket(ConnectedProcess.descriptor),
      ProcessInfo.processInfo.environment[ChildExtension.mark] != nil
    else {
      FileHandle.standardError.write(
        Data("this is a notification service extension: a NotificationHost starts it\n".utf8))
      exit(2)
    }
    let channel = FrameChannel(descriptor: ConnectedProcess.descriptor)
    HostedExtension(channel, make: make).run()
    _exit(0)  // The host is gone; whatever the extension still does, nobody waits for it.
  }
}

/// What surrounds an extension that is made for one notification.
package struct ExtensionSurroundings: Sendable {
  /// Network, clock and files, all of them the host's.
  package var environment: RichEnvironment
  /// What the host was given for the program.
  package var configuration: JSONValue
  package var world: HostedWorld
  package var bundle: URL?
}

/// The extension's side of the channel.
final class HostedExtension: Sendable {
  private let channel: FrameChannel
  private let world: HostedWorld
  private let make: @Sendable (ExtensionSurroundings) -> UNNotificationServiceExtension
  private let instance = HostLocked<Instance?>(nil)
  /// What the look-alike of Apple's frameworks asks.
  private let surroundings = HostLocked(UNWorld())
  private let hasReplied = HostLocked(false)
  /// Told once for each call of the handler, when the host has its content.
  private let taken = DispatchSemaphore(value: 0)

  /// `@unchecked Sendable`: as on the phone, `didReceive` and `serviceExtensionTimeWillExpire` come on
  /// different threads; guarding its state is the extension's own duty, and what is modelled.
  private struct Instance: @unchecked Sendable {
    let object: UNNotificationServiceExtension
  }

  init(
    _ channel: FrameChannel,
    make: @escaping @Sendable (ExtensionSurroundings) -> UNNotificationServiceExtension
  ) {
    self.channel = channel
    self.make = make
    world = HostedWorld(channel)
  }

  /// Serves until the host is gone.
  func run() {
    world.send(.ready)
    while let bytes = channel.receive(), let frame = Frame<HostMessage>(bytes) {
      switch frame {
      case .piece(let call, let load, let piece): world.receive(piece, call: call, load: load)
      case .message(let message): receive(message)
      }
    }
  }

  private func receive(_ message: HostMessage) {
    switch message {
    case .receive(let call, let assignment):
      var surroundings = assignment.surroundings(world)
      surroundings.hasNotification = { [hasReplied] in !hasReplied.withLock { $0 } }
      self.surroundings.withLock { [surroundings] in $0 = surroundings }
      onThread(call) { self.begin(assignment) }
    case .warn(let call):
      onThread(call) {
        self.instance.withLock { $0 }?.object.serviceExtensionTimeWillExpire()
      }
    case .fire(let call, let work): world.fire(call: call, work: work)
    case .head(let call, let load, let status, let headers):
      world.receive(MediaResponseHead(status: status, headers: headers), call: call, load: load)
    case .finish(let call, let load, let error):
      world.finish(call: call, load: load, error?.error)
    case .time(let reply, let time): world.time(time, reply: reply)
    case .taken: taken.signal()
    }
  }

  private func begin(_ assignment: Assignment) {
    let center = UNUserNotificationCenter.current()
    WireCategory.set(assignment.categories, in: center)
    let bundle = assignment.bundle
    var environment = RichEnvironment(
      loader: world, clock: world, temporaryDirectory: assignment.temporaryDirectory,
      bundledFile: { name in
        guard let file = bundle?.appending(path: name) else { return nil }
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
      }, categories: assignment.extensionCategories)
    environment.appGroupFolder = assignment.appGroup
    environment.categoryRegistry = UNCategoryRegistry(center: center)
    RichEnvironment.host(environment)
    let instance = Instance(
      object: make(
        ExtensionSurroundings(
          environment: environment, configuration: assignment.configuration, world: world,
          bundle: bundle)))
    self.instance.withLock { $0 = instance }
    world.send(.launched)
    let request = UNNotificationRequest(
      identifier: assignment.identifier, content: assignment.content.content,
      trigger: UNPushNotificationTrigger())
    instance.object.didReceive(request) { self.reply($0, center) }
  }

  /// Returns when the host has the content and its files, as the system's handler does.
  private func reply(_ content: UNNotificationContent, _ center: UNUserNotificationCenter) {
    world.send(.replied(WireContent(content), categories: WireCategory.all(in: center)))
    hasReplied.withLock { $0 = true }
    taken.wait()
  }

  /// Neither call comes on the main thread, and each has a thread of its own.
  private func onThread(_ call: Int, _ body: @escaping @Sendable () -> Void) {
    let surroundings = surroundings.withLock { $0 }
    Thread.detachNewThread {
      let hold = self.world.hold(patience: InProcessExtension.patience)
      surroundings.run(body)
      hold.linger()
      self.world.send(.done(call: call, stops: false))
    }
  }
}

extension Assignment {
  /// The phone as the look-alike in this process has it: over the channel.
  fileprivate func surroundings(_ world: HostedWorld) -> UNWorld {
    var app = NotificationHost.App(container: temporaryDirectory)
    app.center = .current()
    app.temporaryDirectory = temporaryDirectory
    app.network = world
    app.transportSecurity = transportSecurity
    app.freeDiskSpace = freeDiskSpace
    var behavior = HostBehavior()
    behavior.checksFileAtInit = checksFileAtInit
    behavior.megabyte = megabyte
    return UNWorld(app: app, clock: world, behavior: behavior)
  }
}
