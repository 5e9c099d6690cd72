import Foundation
import PushPayload
import PushServer

/// `martlet explain`: tells the way of a notification to a phone, and the first cause why it was not shown.
struct ExplainCommand: CheckingCommand {
  enum Options {
    static let notification = Option(
      "--notification", .text("ID"), help: "the notification, by its id or its message's")
    static let run = Option("--run", .text("ID"), help: "the run of a campaign")
    static let campaign = Option(
      "--campaign", .text("ID"), help: "the campaign, whose last run is meant")
    static let device = Option("--device", .text("ID"), help: "the device")
    static let user = Option(
      "--user", .text("ID"), help: "the user; the device that it has got furthest is told whole")
    static let settings = Option(
      "--settings", .file("FILE.json"), help: "the app's notification_settings on the phone")
    static let journal = Option(
      "--journal", .file(), help: "the journal of martlet apns-sandbox, for APNs' answer")
    static let token = Option(
      "--token", .text("TOKEN"), help: "the push token in the journal (default the last push)")
  }

  static let name = "explain"
  static let summary = "tell why a phone did not show a notification"
  static let discussion = """
    With --server it asks a running server for the timeline: what the store, the audit log and the
    phone's reports know. Without, it judges a payload, or the last push of a journal, by the model of
    iOS; media are loaded with --online or --media only, and not judged otherwise.
    """
  static let exitCodes: [ExitCode: String] = [
    .success: "it was shown, or no cause is known", .failure: "a cause was found",
    .invalidInput: "could not be done: the command line is wrong, or an input cannot be read",
  ]
  static let operand: Operand? = Operand(
    "PAYLOAD", .atMostOne, completion: .files,
    help: "without --server: the payload's file; - is standard input")
  static let options: [any CommandOption] =
    ServerClient.Options.all + [
      Options.notification, Options.run, Options.campaign, Options.device, Options.user,
      Options.settings, Options.journal, Options.token, SimulateCommand.Options.pushType,
      SimulateCommand.Options.media, SimulateCommand.Options.online, CommonOptions.json,
    ]

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    let questions = try [Options.notification, Options.run, Options.campaign].compactMap {
      try arguments[$0]
    }
    let readers = try [Options.device, Options.user].compactMap { try arguments[$0] }
    if try arguments[ServerClient.Options.server] != nil {
      guard questions.count == 1, readers.count == 1 else {
        throw UsageError(
          "--server needs one of --notification, --run and --campaign, and one of --device and"
            + " --user")
      }
      guard arguments.operands.isEmpty else { throw UsageError("--server takes no PAYLOAD") }
    } else {
      guard questions.isEmpty, readers.isEmpty else {
        throw UsageError("--notification, --run, --campaign, --device and --user need --server")
      }
      guard try !arguments.operands.isEmpty || arguments[Options.journal] != nil else {
        throw UsageError("name a PAYLOAD, a --journal, or a --server with --notification")
      }
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let answer: JSONValue
    if let server = try ServerClient(arguments, console) {
      answer = try await server.request("GET", "/v6/explain?\(try query)")
    } else {
      answer = try await OfflineExplanation(arguments, console).timeline().json
    }
    if arguments[CommonOptions.json] {
      console.print(answer.line)
    } else {
      Self.text(of: answer).forEach { console.print($0) }
    }
    let hasCause = answer["steps"]?.array?.contains { $0["cause"] == true } ?? false
    return hasCause ? .failure : .success
  }

  private var query: String {
    get throws {
      let names: [(name: String, option: Option<String?>)] = [
        ("notification", Options.notification), ("run", Options.run),
        ("campaign", Options.campaign), ("device", Options.device), ("user", Options.user),
      ]
      return try names.compactMap { name, option in
        try arguments[option].map { "\(name)=\(ServerClient.escaped($0))" }
      }.joined(separator: "&")
    }
  }

  /// The lines of a timeline for people.
  private static func text(of answer: JSONValue) -> [String] {
    var lines = [
      "\(answer["verdict"]?["code"]?.string ?? ""): "
        + (answer["verdict"]?["text"]?.string ?? "")
    ]
    if let advice = answer["verdict"]?["advice"]?.string { lines.append("  do: \(advice)") }
    for step in answer["steps"]?.array ?? [] {
      let mark = step["cause"] == true ? "✗" : step["known"] == true ? "✓" : "?"
      let time = step["at"]?.string.map { "  \($0)" } ?? ""
      lines.append("\(mark) \(step["title"]?.string ?? "")\(time)")
      lines.append("    \(step["text"]?.string ?? "")")
    }
    for device in answer["devices"]?.array?.dropFirst() ?? [] {
      lines.append(
        "other device \(device["device_id"]?.string ?? ""): "
          + (device["verdict"]?["text"]?.string ?? ""))
    }
    return lines
  }
}
