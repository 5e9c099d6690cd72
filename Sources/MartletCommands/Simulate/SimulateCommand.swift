import Foundation
import MediaLoading
import NotificationHost
import NotificationPreview
import PushCrypto
import PushPayload
import RichNotifications
import _Curl
import _Card
import _OpenSSLCrypto

/// `martlet simulate`: hands payloads to the model of iOS running the real extension.
struct SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "show what a payload does on a phone, and why"
  static let operands = "PAYLOAD.json… (- is standard input)"
  static let options = [
    Option("--push-type", "alert|background", help: "apns-push-type (alert)"),
    Option(
      "--media", "URL=FILE", isRepeatable: true, help: "what a URL answers; split at the last ="),
    Option("--online", help: "fetch from the real network"),
    Option("--media-ca", "FILE", help: "PEM certificates to trust when online"),
    Option("--media-key", "KEY", isRepeatable: true, help: "a key of the app's own: data.picture"),
    Option("--bundle", "DIR", help: "the app's bundle, for media that lie in it"),
    Option("--app-group", "DIR", help: "the app group's folder"),
    Option("--latency", "DURATION", help: "time to the head of each answer (0)"),
    Option("--bandwidth", "RATE", help: "of the scripted network, such as 500KB/s (unlimited)"),
    Option("--time-limit", "DURATION", help: "what the extension has (30s)"),
    Option(
      "--memory-limit", "SIZE",
      help: "run the extension in a process of its own, ended past this (phones: 24MiB)"),
    Option("--real-time", help: "wait as a phone does; otherwise the clock is virtual and jumps"),
    Option(
      "--category", "ID", isRepeatable: true, help: "a category in the extension's Info.plist"),
    Option("--filtering", help: "the extension has the filtering entitlement, and may suppress"),
    Option("--private-key", "FILE", help: "the device's keys as JSON, to open encrypted payloads"),
    Option("--render", "OUT.png", help: "draw it, collapsed and expanded; several: OUT-1.png …"),
    Option("--banner", help: "draw the banner over an app in use, too"),
    Option("--appearance", "light|dark", help: "of the drawn card (light)"),
    Option(
      "--text-size", "SIZE",
      help: "x-small, small, medium, large, x-large, xx-large, xxx-large (large)"),
    Option("--right-to-left", help: "draw it as on a phone set to Arabic or Hebrew"),
    .json,
  ]

  private let arguments: Arguments
  private let pushType: String
  private let timeLimit: Duration?
  private let memoryLimit: Int?
  private let latency: Duration?
  private let bandwidth: Int?
  private let style: CardStyle
  private let answers: [String: ScriptedNetwork.Response]

  init(_ arguments: Arguments) throws {
    guard !arguments.operands.isEmpty else { throw UsageError("name a payload file, or - ") }
    self.arguments = arguments
    pushType = try arguments.choice("--push-type", of: ["alert", "background"], default: "alert")
    timeLimit = try arguments.duration("--time-limit")
    memoryLimit = try arguments.size("--memory-limit")
    if timeLimit == .zero { throw UsageError("--time-limit takes a duration above 0, such as 30s") }
    if memoryLimit == 0 {
      throw UsageError("--memory-limit takes more than nothing, such as 24MiB")
    }
    if let output = arguments.value("--render"), !output.lowercased().hasSuffix(".png") {
      throw UsageError("--render draws PNG: name a file that ends in .png, not \"\(output)\"")
    }
    latency = try arguments.duration("--latency")
    bandwidth = try arguments.rate("--bandwidth")
    style = try Self.style(arguments)
    answers = try Self.answers(arguments.all("--media"))
    if arguments.flag("--online"), !answers.isEmpty {
      throw UsageError("--media scripts the network and --online is the real one; take one of them")
    }
    if arguments.value("--media-ca") != nil, !arguments.flag("--online") {
      throw UsageError("--media-ca needs --online")
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    for answer in answers.values {
      guard case .file(let file)? = answer.body else { continue }
      try Self.checkReadable(file, "--media")
    }
    if let file = arguments.value("--media-ca") {
      guard try readText(file, of: "--media-ca").contains("-----BEGIN CERTIFICATE-----") else {
        throw CommandFailure("--media-ca: \(file) holds no certificate in PEM form")
      }
    }
    let container = try Self.makeContainer()
    // Removed only if empty: what was attached stays for whoever reads the result.
    defer { _ = rmdir(container.path(percentEncoded: false)) }
    let phone = try makePhone(container)
    var isComplete = true
    /// How many of each thread are on the lock screen.
    var threads: [String: Int] = [:]
    for (index, operand) in arguments.operands.enumerated() {
      let report: SimulationReport
      do {
        report = try await self.report(on: operand, by: phone, console)
      } catch {
        // The others are still worth knowing.
        console.printError("martlet simulate: \(error)")
        isComplete = false
        continue
      }
      console.print(
        arguments.flag("--json")
          ? String(decoding: report.json.serialized(), as: UTF8.self) : report.text)
      if !report.delivery.isComplete { isComplete = false }
      if let output = arguments.value("--render") {
        let several = arguments.operands.count > 1
        let file = several ? Self.numbered(output, index + 1) : output
        let thread = report.delivery.report.content?.threadIdentifier ?? ""
        let isDrawn = try await CardFile.write(
          report.delivery, to: file, style: style,
          moreInThread: thread.isEmpty ? 0 : threads[thread, default: 0],
          hasBanner: arguments.flag("--banner"))
        if isDrawn { threads[thread, default: 0] += 1 }
        if !isDrawn {
          console.printError("martlet simulate: nothing to draw for \(report.name)")
        } else if !arguments.flag("--json"), !arguments.flag("--quiet") {
          console.print("  card  \(file)")
        }
      }
    }
    return isComplete ? .yes : .no
  }

  private static let textSizes: [String: CardStyle.TextSize] = [
    "x-small": .xSmall, "small": .small, "medium": .medium, "large": .large, "x-large": .xLarge,
    "xx-large": .xxLarge, "xxx-large": .xxxLarge,
  ]

  private static func style(_ arguments: Arguments) throws -> CardStyle {
    let appearance = try arguments.choice("--appearance", of: ["light", "dark"], default: "light")
    let size = try arguments.choice("--text-size", of: textSizes.keys.sorted(), default: "large")
    return CardStyle(
      appearance: appearance == "dark" ? .dark : .light, textSize: textSizes[size] ?? .large,
      isRightToLeft: arguments.flag("--right-to-left"))
  }

  private static func makeContainer() throws -> URL {
    let container = FileManager.default.temporaryDirectory
      .appending(path: "martlet-simulate/\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        "cannot make a folder for attachments in \(FileManager.default.temporaryDirectory.path()): "
          + "free some space there, or set TMPDIR", cause: error)
    }
    return container
  }

  private func makePhone(_ container: URL) throws -> SimulatedPhone {
    var configuration = SimulatedPhone.Configuration(container: container)
    configuration.bundle = try folder("--bundle")
    configuration.appGroup = try folder("--app-group")
    configuration.categories = arguments.all("--category")
    configuration.mediaKeys = arguments.all("--media-key")
    configuration.timeLimit = timeLimit
    configuration.isFiltering = arguments.flag("--filtering")
    configuration.memoryLimit = memoryLimit
    configuration.keys = try arguments.value("--private-key").map(Self.keys)
    // Certificates of one's own are for a server of one's own.
    configuration.allowsPrivateAddresses = arguments.value("--media-ca") != nil
    let clock: any HostClock =
      arguments.flag("--real-time") ? SystemDeliveryClock() : VirtualClock()
    let loader: any MediaLoader =
      arguments.flag("--online")
      ? RealNetwork(CurlMediaLoader(caFile: arguments.value("--media-ca")), clock: clock)
      : ScriptedNetwork(answers, clock: clock, latency: latency ?? .zero, bandwidth: bandwidth)
    return SimulatedPhone(configuration, clock: clock, loader: loader)
  }

  private func report(
    on operand: String, by phone: SimulatedPhone, _ console: Console
  ) async throws -> SimulationReport {
    let data = try readPayload(operand, console)
    let payload: JSONValue
    do {
      payload = try JSONValue(parsing: data)
    } catch {
      return SimulationReport(name: operand, delivery: .dropped("the payload is \(error.message)"))
    }
    // An .apns file of the Simulator names its app beside the payload; APNs never sees that.
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
    return SimulationReport(name: operand, delivery: delivery)
  }

  private func folder(_ option: String) throws -> URL? {
    guard let path = arguments.value(option) else { return nil }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { throw CommandFailure("\(option) names no folder: \(path)") }
    return URL(fileURLWithPath: path, isDirectory: true)
  }

  private static func answers(_ texts: [String]) throws -> [String: ScriptedNetwork.Response] {
    var answers: [String: ScriptedNetwork.Response] = [:]
    for text in texts {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex,
        text.index(after: equals) != text.endIndex
      else { throw UsageError("--media takes URL=FILE, not \"\(text)\"") }
      let file = URL(fileURLWithPath: String(text[text.index(after: equals)...]))
      // As the engine asks for it: with spaces and other letters escaped.
      let url = String(text[..<equals])
      answers[URL(string: url)?.absoluteString ?? url] = ScriptedNetwork.Response(body: .file(file))
    }
    return answers
  }

  private static func keys(_ path: String) throws -> DeviceKeys {
    let data = try readFile(path, "which --private-key names")
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
