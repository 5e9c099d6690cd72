import Foundation
import MediaLoading
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PayloadLint
import PushCrypto
import PhoneCards
import PushPayload
import RichNotifications
import _Curl
import NotificationCards
import _OpenSSLCrypto

/// `martlet simulate`: delivers payloads to a model of iOS that runs the real extension.
struct SimulateCommand: CheckingCommand {
  static let name = "simulate"
  static let summary = "show what a payload does on a phone, and why"
  static let discussion = """
    Without --media or --online media fail with reason offline. A folder stands for every *.json and
    *.apns file below it, in the order of their paths, without hidden ones; a pattern (*, ?, [a-z],
    ** for any folders) for what it matches. With --expect the exit code says whether the result is
    as expected: 0 or 1. Attached files are kept with --keep, and with --render OUT.png in OUT-media.
    """
  static let exitCodes: [ExitCode: String] = [
    .success: "displayed with all that was asked for, or as expected",
    .failure: "displayed with less or not at all, or not as expected",
    .invalidInput:
      "could not be done: the command line is wrong, or an input is not JSON or cannot be read",
  ]
  static let operand: Operand? = Operand(
    "PAYLOAD", .atLeastOne, completion: .files,
    help: "a file, a folder or a pattern in quotes; - is standard input")
  static let options: [any CommandOption] = [
    Options.pushType, Options.media, Options.online, Options.mediaCA, Options.mediaKey,
    Options.bundle, Options.appGroup, Options.latency, Options.bandwidth, Options.timeLimit,
    Options.memoryLimit, Options.realTime, Options.category, Options.filtering,
    Options.privateKey, Options.requiresEncryption, Options.render, Options.banner,
    Options.lockScreen, Options.look, Options.appearance, Options.textSize, Options.rightToLeft,
    Options.keep, Options.expect,
    Options.stable,
    CommonOptions.json,
  ]

  private let arguments: Arguments
  private let pushType: String
  private let timeLimit: Duration?
  private let memoryLimit: Int?
  private let latency: Duration
  private let bandwidth: Int?
  private let style: CardStyle
  private let answers: [String: ScriptedNetwork.Response]
  private let cards = CardProcess.ofCommand()
  private let pictures: PictureCheck

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    pictures = PictureCheck(by: cards)
    pushType = try arguments[Options.pushType]
    timeLimit = try arguments[Options.timeLimit]
    memoryLimit = try arguments[Options.memoryLimit]
    _ = try arguments[Options.render]
    latency = try arguments[Options.latency]
    bandwidth = try arguments[Options.bandwidth]
    style = CardStyle(
      appearance: try arguments[Options.appearance] == "dark" ? .dark : .light,
      look: CardStyle.Look(try arguments[Options.look]) ?? .iOS26,
      textSize: try arguments[Options.textSize], isRightToLeft: arguments[Options.rightToLeft])
    let media = try arguments[Options.media]
    answers = Dictionary(
      media.map { ($0.url, ScriptedNetwork.Response(body: .file($0.file))) }
    ) { $1 }
    if arguments[Options.online], !answers.isEmpty {
      throw UsageError("--media scripts the network and --online is the real one; take one of them")
    }
    if try arguments[Options.mediaCA] != nil, !arguments[Options.online] {
      throw UsageError("--media-ca needs --online")
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    for answer in answers.values {
      guard case .file(let file)? = answer.body else { continue }
      try Self.checkReadable(file, "--media")
    }
    if let file = try arguments[Options.mediaCA] {
      let pem = try InputFile.text(file, of: Options.mediaCA)
      guard pem.contains("-----BEGIN CERTIFICATE-----") else {
        throw CommandFailure("--media-ca: \(file) holds no certificate in PEM form")
      }
    }
    let expectation = try arguments[Options.expect].map(Expectation.init(file:))
    let keptFiles =
      try arguments[Options.keep] ?? arguments[Options.render].map(KeptFiles.folder(of:))
    let container = try Self.makeContainer()
    defer { try? FileManager.default.removeItem(at: container) }
    let phone = try makePhone(container)
    let inputs = InputPaths.payloads.expand(arguments.operands)
    var exitCode = ExitCode.success
    /// The number of notifications of each thread on the lock screen.
    var threads: [String: Int] = [:]
    for (index, input) in inputs.enumerated() {
      var report: SimulationReport
      do {
        try input.checkFound()
        // State that a payload leaves, such as the badge's number, is kept for others only if a folder is named.
        try? FileManager.default.removeItem(at: Self.ownAppGroup(in: container))
        report = try await self.report(on: input.path, by: phone, console)
        await report.measureTemplate(by: cards)
        if let keptFiles {
          try KeptFiles(folder: keptFiles, prefix: inputs.count > 1 ? "\(index + 1)-" : "")
            .keep(&report)
        }
      } catch {
        // The other payloads are still simulated.
        console.printError("martlet simulate: \(error.sentence)")
        exitCode = .invalidInput
        continue
      }
      exitCode = max(exitCode, print(report, expecting: expectation, console))
      if let output = try arguments[Options.render] {
        let file = inputs.count > 1 ? Self.numbered(output, index + 1) : output
        let thread = report.delivery.report.content?.threadIdentifier ?? ""
        let isDrawn = try await CardFile.write(
          report.delivery, by: cards, to: file, delivered: report.delivered, style: style,
          moreInThread: thread.isEmpty ? 0 : threads[thread, default: 0],
          hasBanner: arguments[Options.banner], isLocked: arguments[Options.lockScreen])
        if isDrawn { threads[thread, default: 0] += 1 }
        if !isDrawn {
          console.printError("martlet simulate: nothing to draw for \(report.name)")
        } else if !arguments[CommonOptions.json], !arguments[CommonOptions.quiet] {
          console.print("  card  \(file)")
        }
      }
    }
    return exitCode
  }

  /// Prints a report, or its differences from the expectation.
  private func print(
    _ report: SimulationReport, expecting expectation: Expectation?, _ console: Console
  ) -> ExitCode {
    // A recorded expectation also contains times and paths.
    let isStable = arguments[Options.stable] || expectation != nil
    let json = isStable ? report.stableJSON : report.json
    let differences = expectation?.differences(from: json)
    if arguments[CommonOptions.json] {
      var members = json.object ?? [:]
      members["differences"] = differences.map { .array($0.map(\.json)) }
      console.print(JSONValue.object(members).line)
    } else if let differences {
      for difference in differences { console.print("\(report.name): \(difference.text)") }
      if differences.isEmpty, !arguments[CommonOptions.quiet] {
        console.print("\(report.name): as expected")
      }
    } else {
      console.print(report.text)
    }
    if !report.isJSON { return .invalidInput }
    return differences.map(\.isEmpty) ?? report.isComplete ? .success : .failure
  }

  private static func makeContainer() throws -> URL {
    let container = FileManager.default.temporaryDirectory
      .appending(path: "martlet-simulate-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        "cannot make a folder for attachments in \(FileManager.default.temporaryDirectory.path): "
          + "free some space there, or set TMPDIR", cause: error)
    }
    return container
  }

  /// The app group's folder if none is named, because a template's media are stored in it.
  private static func ownAppGroup(in container: URL) -> URL {
    container.appending(path: "AppGroup", directoryHint: .isDirectory)
  }

  private func makePhone(_ container: URL) throws -> SimulatedPhone {
    var configuration = SimulatedPhone.Configuration(container: container)
    configuration.bundle = try folder(Options.bundle)
    configuration.appGroup = try folder(Options.appGroup) ?? Self.ownAppGroup(in: container)
    configuration.categories = try arguments[Options.category]
    configuration.mediaKeys = try arguments[Options.mediaKey]
    configuration.timeLimit = timeLimit
    configuration.isFiltering = arguments[Options.filtering]
    configuration.memoryLimit = memoryLimit
    configuration.requiresEncryption = arguments[Options.requiresEncryption]
    configuration.keys = try arguments[Options.privateKey].map(Self.keys)
    // Custom certificates are for a server on a private network.
    configuration.allowsPrivateAddresses = try arguments[Options.mediaCA] != nil
    let clock: any HostClock =
      arguments[Options.realTime] ? SystemDeliveryClock() : VirtualClock()
    let loader: any MediaLoader =
      arguments[Options.online]
      ? try RealNetwork(CurlMediaLoader(caFile: arguments[Options.mediaCA]), clock: clock)
      : ScriptedNetwork(answers, clock: clock, latency: latency, bandwidth: bandwidth)
    return SimulatedPhone(configuration, clock: clock, loader: loader)
  }

  private func report(
    on operand: String, by phone: SimulatedPhone, _ console: Console
  ) async throws -> SimulationReport {
    let data = try InputFile.payload(operand, console)
    let payload: JSONValue
    do {
      payload = try JSONValue(parsing: data)
    } catch {
      return SimulationReport(
        name: operand, delivery: .dropped("the payload is \(error.message)"), isJSON: false)
    }
    // In the Simulator, an .apns file names its app in the payload, but APNs never receives that key.
    var members = payload.object ?? [:]
    members["Simulator Target Bundle"] = nil
    let json = payload.object == nil ? payload : .object(members)
    let size = json.serialized().count
    let limit = PushType(rawValue: pushType).payloadLimit
    guard size <= limit else {
      return SimulationReport(
        name: operand,
        delivery: .dropped("the payload has \(size) bytes; APNs takes at most \(limit)"))
    }
    let delivery = await phone.deliver(PushMessage(payload: json, pushType: pushType))
    let damaged = await pictures.hints(delivery.report.attachments)
    return SimulationReport(
      name: operand, delivery: delivery, hints: delivery.unreadMedia(of: data) + damaged)
  }

  private func folder(_ option: Option<String?>) throws -> URL? {
    guard let path = try arguments[option] else { return nil }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { throw CommandFailure("\(option.definition.name) names no folder: \(path)") }
    return URL(fileURLWithPath: path, isDirectory: true)
  }

  private static func keys(_ path: String) throws -> DeviceKeys {
    let data = try InputFile.data(path, role: "which --private-key names")
    do {
      return try DeviceKeys(json: Array(data), provider: OpenSSLCrypto())
    } catch {
      throw CommandFailure("--private-key: \(path) is \(error.message)", cause: error)
    }
  }

  private static func checkReadable(_ file: URL, _ option: String) throws {
    let path = file.path(percentEncoded: false)
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandFailure("\(option): cannot read \(path): is it there, and readable?")
    }
  }

  private static func numbered(_ file: String, _ number: Int) -> String {
    let url = URL(fileURLWithPath: file)
    let name = "\(url.deletingPathExtension().lastPathComponent)-\(number)"
    let pathExtension = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    return url.deletingLastPathComponent().appending(path: name + pathExtension)
      .path(percentEncoded: false)
  }
}

extension SimulatedDelivery {
  /// The outcome for a payload that APNs refuses, so that no phone receives it.
  fileprivate static func dropped(_ reason: String) -> SimulatedDelivery {
    SimulatedDelivery(report: DeliveryReport(outcome: .dropped, reason: reason))
  }
}

extension SimulatedDelivery {
  /// The findings of rule M804 if no dialect fits a payload: media under keys that nothing reads.
  fileprivate func unreadMedia(of payload: Data) -> [SimulationReport.Hint] {
    guard report.run.ran, enriched?.dialect == Dialect.ID.none.rawValue,
      enriched?.decryption == nil
    else { return [] }
    return LintReport(LintSubject(payload, now: nil)).entries.filter { $0.rule.code == "M804" }
      .map { entry in
        SimulationReport.Hint(
          rule: "unread-media", message: "\(entry.path) \(entry.message); \(entry.rule.fix)")
      }
  }
}
