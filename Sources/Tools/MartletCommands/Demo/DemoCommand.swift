import Foundation
import MartletKit
import PushPayload

/// `martlet demo`: runs the server, the APNs sandbox, a media server and simulated devices on this
/// machine, using only the shipped commands and HTTP.
struct DemoCommand: Command {
  static let name = "demo"
  static let summary = "run server, APNs sandbox, media server and simulated devices here"

  enum Options {
    static let data = Option(
      "--data", .folder, default: "./martlet-demo",
      help: "the folder for everything it writes, emptied first")
  }

  static let options: [any CommandOption] = [Options.data]

  private let folder: URL

  init(_ arguments: Arguments) throws {
    folder =
      URL(fileURLWithPath: try arguments[Options.data], isDirectory: true)
      .standardizedFileURL
  }

  func run(_ console: Console) async throws -> ExitCode {
    let world = try await DemoWorld(folder: folder, console)
    let result = await withTaskGroup(of: Result<ExitCode, any Error>.self) { group in
      group.addTask {
        do { return .success(try await show(world, console)) } catch { return .failure(error) }
      }
      // A signal that ends the demo also ends the processes that it started.
      group.addTask {
        await console.untilTerminated()
        return .failure(CommandFailure("stopped before it was complete"))
      }
      let first = await group.next()
      await world.stop()
      group.cancelAll()
      return first ?? .success(.failure)
    }
    if case .success = result {
      console.print("")
      console.print("the dashboard's key: in \(world.keyFile)")
      console.print("martlet serve --data \(world.serverData.path(percentEncoded: false))")
    }
    return try result.get()
  }

  private func show(_ world: DemoWorld, _ console: Console) async throws -> ExitCode {
    for device in DemoScript.devices { try await world.register(device) }
    var sends: [String: String] = [:]
    for request in DemoScript.requests(media: world.mediaURLs) {
      let id = try await world.post(request)
      sends[request.device] = id
      let counts = try await world.completion(of: id)
      console.print("POST \(request.path)  \(request.title)  \(counts)")
    }
    console.print("")
    var isComplete = true
    for device in DemoScript.devices {
      let line = try await line(for: device, of: sends[device.id], world)
      isComplete = isComplete && line.isRight
      console.print(line.text)
    }
    console.print("")
    for device in DemoScript.devices {
      guard let user = device.userID, let send = sends[device.id] else { continue }
      let line = try await appLine(of: user, on: device, of: send, world)
      isComplete = isComplete && line.isRight
      console.print(line.text)
    }
    if console.isTerminal {
      console.print("")
      console.print(
        "the dashboard: \(world.serverBase); sign in with the key in \(world.keyFile)")
      console.print("Press Enter to stop.")
      await Self.enter(console)
    }
    return isComplete ? .success : .failure
  }

  /// Returns when a person presses Enter, or the task is cancelled: the thread that reads is left behind then.
  private static func enter(_ console: Console) async {
    let (entered, continuation) = AsyncStream<Void>.makeStream()
    Thread.detachNewThread {
      _ = console.readLine()
      continuation.finish()
    }
    for await _ in entered {}
  }

  private func line(
    for device: DemoScript.Device, of send: String?, _ world: DemoWorld
  ) async throws -> (text: String, isRight: Bool) {
    let name = device.id.padding(toLength: 18, withPad: " ", startingAt: 0)
    guard let wanted = device.shows else {
      let pushes = try world.pushes(to: device.token)
      return pushes == 0
        ? ("\(name) nothing, as expected: it matches no criteria", true)
        : ("\(name) got \(pushes) pushes, though it matches no criteria", false)
    }
    let shown = try await world.shown(on: device.token)
    if let send { try await world.report(shown, of: send, device: device) }
    let types = (shown["attachments"]?.array ?? []).compactMap { $0["type"]?.string }
    let isRight = shown["complete"] == true && types == [wanted]
    let what = types.isEmpty ? shown["reason"]?.string ?? "no media" : types.joined(separator: ", ")
    let card = shown["card"]?.string ?? ""
    return ("\(name) \(shown["outcome"]?.string ?? "")  \(what)  \(card)", isRight)
  }

  /// Simulates a person in the app with MartletKit, who taps the push and looks into the inbox.
  private func appLine(
    of user: String, on device: DemoScript.Device, of send: String, _ world: DemoWorld
  ) async throws -> (text: String, isRight: Bool) {
    let shown = try await world.shown(on: device.token)
    try await world.app.tap(shown["content"]?["userInfo"] ?? .null)
    let openings = try await world.openings(of: send)
    try await world.post(message: DemoScript.message(for: user, media: world.mediaURLs))
    let (message, unread) = try await world.app.readMessage()
    let picture = message.imageURL?.absoluteString
    let card = try await world.card(of: message)
    let isRight =
      openings == 1 && unread == (1, 0) && picture == world.mediaURLs["picture.png"]
    let text = """
      the app of \(user), with MartletKit: signed in by a proof; the push opened \(openings) time
      its inbox: "\(message.title)" with \(picture ?? "no picture"); \(unread.before) unread, then \(unread.after)
      its message with the picture: \(card)
      """
    return (text, isRight)
  }
}
