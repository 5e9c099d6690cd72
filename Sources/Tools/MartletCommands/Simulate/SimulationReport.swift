import Foundation
import NotificationHost
package import PhoneCards
package import PushPayload
import RichNotifications
import _OpenSSLCrypto

/// The report of a simulated delivery, as JSON and as text.
package struct SimulationReport: Sendable {
  package var name: String
  package var delivery: SimulatedDelivery
  /// Whether the payload is JSON.
  package var isJSON: Bool
  /// The parts that the person does not see although nothing failed.
  package var hints: [Hint]
  /// Whether the attached files are kept, so that the report has their paths.
  package var keepsFiles = false
  /// The heights of the template's view, set by ``measureTemplate(by:)``.
  var heights: JSONValue = .null
  /// The time of delivery in seconds since 1970, at which countdowns begin.
  var delivered = Date().timeIntervalSince1970

  /// A reason why a person sees less than the payload requests, and what to do about it.
  package struct Hint: Sendable {
    /// The reason as a stable code, which the trace also uses.
    package var rule: String
    package var message: String
  }

  package init(
    name: String, delivery: SimulatedDelivery, isJSON: Bool = true, hints: [Hint] = []
  ) {
    self.name = name
    self.delivery = delivery
    self.isJSON = isJSON
    self.hints = hints
  }

  /// Whether the person sees everything that the payload requests, as far as that is known.
  package var isComplete: Bool { delivery.isComplete && hints.isEmpty }

  /// The object that `martlet simulate --json` prints.
  package var json: JSONValue {
    let report = delivery.report
    return [
      "payload": .string(name),
      "dialect": .string(delivery.enriched?.dialect ?? Dialect.ID.none.rawValue),
      "encrypted": .bool(![nil, "not-encrypted"].contains(delivery.enriched?.decryption)),
      "decryption": delivery.enriched?.decryption.map(JSONValue.string) ?? .null,
      "outcome": .string(report.outcome.rawValue),
      "reason": .string(report.reason),
      "extension": [
        "ran": .bool(report.run.ran),
        "handlerCalls": .integer(Int64(report.run.handlerCalls)),
        "expired": .bool(report.run.expired),
        "elapsedSeconds": .number(Self.seconds(report.run.elapsed)),
        "peakMemoryBytes": report.run.peakMemoryBytes.map { .integer(Int64($0)) } ?? .null,
      ],
      "content": content,
      "activity": activity,
      "attachments": .array(attachments),
      "actions": .array(actions),
      "media": .array(media),
      "template": template,
      "trace": .array(
        trace.map { event in
          [
            "at": .number(Self.seconds(event.at)), "stage": .string(event.stage.rawValue),
            "rule": .string(event.rule), "message": .string(event.fullMessage),
          ]
        }),
    ]
  }

  /// The decisions in the order of time, followed by the hints.
  private var trace: [TraceEvent] {
    let end = delivery.trace.last?.at ?? .zero
    return delivery.trace
      + hints.map {
        TraceEvent(at: end, stage: .media, rule: $0.rule, message: "hint: \($0.message)")
      }
  }

  private var content: JSONValue {
    guard let content = delivery.report.content else { return .null }
    return [
      "title": .string(content.title), "subtitle": .string(content.subtitle),
      "body": .string(content.body), "badge": content.badge.map { .integer(Int64($0)) } ?? .null,
      "sound": content.sound.map(JSONValue.string) ?? .null,
      "categoryIdentifier": .string(content.categoryIdentifier),
      "threadIdentifier": .string(content.threadIdentifier),
      "interruptionLevel": .string(content.interruptionLevel),
      "relevanceScore": .number(content.relevanceScore), "userInfo": content.userInfo,
    ]
  }

  private var activity: JSONValue {
    guard let activity = delivery.report.activity else { return .null }
    return [
      "event": .string(activity.push.event),
      "attributesType": activity.push.attributesType.map(JSONValue.string) ?? .null,
      "contentState": activity.push.contentState ?? .null,
      "places": .array(activity.places.map { .string($0.rawValue) }),
    ]
  }

  private var actions: [JSONValue] {
    let buttons = delivery.enriched?.buttons ?? []
    return delivery.report.actions.map { action in
      let url = buttons.first { $0.identifier == action.identifier }?.url
      return [
        "identifier": .string(action.identifier), "title": .string(action.title),
        "url": url.map(JSONValue.string) ?? .null,
      ]
    }
  }

  private var attachments: [JSONValue] {
    let sources = delivery.enriched?.attachments ?? []
    return delivery.report.attachments.enumerated().map { index, attachment in
      let bytes = (try? Data(contentsOf: attachment.file, options: .mappedIfSafe)) ?? Data()
      return [
        "identifier": .string(attachment.identifier),
        "url": sources.indices.contains(index) ? .string(sources[index]) : .null,
        "path": keepsFiles ? .string(attachment.file.path(percentEncoded: false)) : .null,
        "type": .string(attachment.type), "bytes": .integer(Int64(bytes.count)),
        "sha256": .string(OpenSSLCrypto.sha256(Array(bytes)).hexadecimal),
        "thumbnailHidden": .bool(attachment.thumbnailHidden),
        "thumbnailClippingRect": attachment.thumbnailClippingRect.map { rect in
          [
            "x": .number(rect.x), "y": .number(rect.y), "width": .number(rect.width),
            "height": .number(rect.height),
          ]
        } ?? .null,
        "thumbnailTime": attachment.thumbnailTime.map(JSONValue.number) ?? .null,
      ]
    }
  }

  /// The result of each medium; `skipped` if the extension did not run or ended earlier.
  private var media: [JSONValue] {
    let outcomes = delivery.enriched?.media ?? []
    if outcomes.isEmpty {
      let reason: JSONValue =
        if !delivery.report.run.ran {
          "extension-not-run"
        } else if delivery.enriched == nil {
          "timeout"
        } else {
          "category"
        }
      return delivery.wanted.map { url in
        [
          "url": .string(url), "result": "skipped", "reason": reason, "status": .null,
          "bytes": 0,
        ]
      }
    }
    return outcomes.map { outcome in
      [
        "url": .string(outcome.url), "result": .string(outcome.result),
        "reason": outcome.reason.map { .string($0) } ?? .null,
        "status": outcome.status.map { .integer(Int64($0)) } ?? .null,
        "bytes": .integer(outcome.bytes),
      ]
    }
  }

  /// The report as text: first what the person sees, then the reasons.
  package var text: String {
    let report = delivery.report
    var lines = ["\(name): \(report.outcome.rawValue)"]
    if let content = report.content {
      for (label, value) in [
        ("title", content.title), ("subtitle", content.subtitle), ("body", content.body),
      ] where !value.isEmpty { lines.append("  \(label)  \(value)") }
    }
    for attachment in report.attachments {
      let size = (try? attachment.file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      lines.append(
        "  \(attachment.type)  "
          + (keepsFiles ? attachment.file.path(percentEncoded: false) : "\(size) bytes"))
    }
    for action in report.actions { lines.append("  [\(action.title)]") }
    lines.append("  why: \(report.reason)")
    for event in trace {
      let time = String(format: "%8.3f s", Self.seconds(event.at))
      lines.append("  \(time)  \(event.stage.rawValue): \(event.fullMessage)")
    }
    return lines.joined(separator: "\n")
  }

  private static func seconds(_ duration: Duration) -> Double {
    (duration / .milliseconds(1)).rounded() / 1000
  }
}
