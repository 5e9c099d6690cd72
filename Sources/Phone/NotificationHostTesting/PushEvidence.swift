import Foundation
import NotificationHost
import PhoneCards
import PushPayload

/// The files that explain one push of a failed test: its payload, its trace, its card and its requests.
struct PushEvidence {
  /// A file by its name.
  struct File: Equatable {
    var name: String
    var bytes: [UInt8]
  }

  private let report: DeliveryReport?
  private let log: PushLog?

  /// Creates the evidence of a push, which may still be on its way.
  init(_ push: PushTrace) {
    let log = push.log
    self.log = log
    report = log.report
  }

  /// Creates the evidence of a report, which has no payload if no host made it.
  init(_ report: DeliveryReport) {
    self.report = report
    log = report.push?.log
  }

  /// Makes the files.
  ///
  /// - Parameter program: The command line of the program that draws the card; `nil` if there is none.
  /// - Returns: The files, of which the last are those that the notification shows.
  func files(drawing program: [String]?) -> [File] {
    var files: [File] = []
    if let log { files.append(text("payload.json", log.message.payload.lines())) }
    files.append(text("trace.txt", trace))
    let card = CardFile(report, appGroup: log?.appGroup, program: program)
    files.append(File(name: card.name, bytes: card.bytes))
    files.append(text("requests.txt", requests))
    // The store of the phone names its files by chance.
    for (index, shown) in (report?.attachments ?? []).enumerated() {
      guard let bytes = try? Data(contentsOf: shown.file) else { continue }
      let name = "attachment-\(index + 1).\(shown.file.pathExtension)"
      files.append(File(name: name, bytes: [UInt8](bytes)))
    }
    return files
  }

  private func text(_ name: String, _ text: String) -> File {
    File(name: name, bytes: Array((text + "\n").utf8))
  }

  private var trace: String {
    if let report { return report.description }
    var unfinished = DeliveryReport(
      outcome: .init(rawValue: "unfinished"), reason: "the push is still on its way")
    unfinished.trace = log?.decisions ?? []
    return unfinished.description
  }

  private var requests: String {
    let requests = log?.requests ?? report?.requests ?? []
    if requests.isEmpty { return "The extension sent no request over the network of its phone." }
    return requests.map(\.text).joined(separator: "\n\n")
  }
}

extension JSONValue {
  /// Writes the JSON in lines.
  ///
  /// - Parameter margin: The spaces before each line but the first.
  /// - Returns: The text, with the members of objects sorted by their names.
  fileprivate func lines(margin: String = "") -> String {
    let inner = margin + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.sorted { $0.key < $1.key }.map { name, value in
        "\(inner)\(JSONValue.string(name).lines()): \(value.lines(margin: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.lines(margin: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(margin)]"
    default: return String(decoding: serialized(), as: UTF8.self)
    }
  }
}

extension ExtensionRequest {
  /// The most bytes of a body that are written as text.
  static let maximumBody = 4096

  /// The request and its response, as lines with the times since the push arrived.
  var text: String {
    var lines = ["\(sent.secondsText)  \(line)"] + Self.fields(headers, ">")
    if let body {
      let text = body.count <= Self.maximumBody ? String(validating: body, as: UTF8.self) : nil
      lines.append("  > \(text ?? "a body of \(body.count) bytes")")
    }
    if let status, let answered {
      lines += ["\(answered.secondsText)  \(status)"] + Self.fields(responseHeaders, "<")
    }
    let end = error.map { "failed after \(receivedBytes) bytes: \($0)" }
    switch (ended, end) {
    case (let ended?, let end?): lines.append("\(ended.secondsText)  \(end)")
    case (let ended?, nil):
      lines.append("\(ended.secondsText)  ended after \(receivedBytes) bytes")
    case (nil, _): lines.append("not ended, after \(receivedBytes) bytes")
    }
    return lines.joined(separator: "\n")
  }

  private static func fields(_ fields: [String: String], _ mark: String) -> [String] {
    fields.sorted { $0.key < $1.key }.map { "  \(mark) \($0.key): \($0.value)" }
  }
}
