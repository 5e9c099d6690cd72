import Foundation
import PushPayload
import TestSupport
import Testing

/// A payload in `Tests/Fixtures/dialects`, with the expected request where there is one.
struct DialectFixture: CustomTestStringConvertible, Sendable {
  /// `sailthru/typical`.
  var name: String
  var payload: JSONValue
  var expectation: JSONValue?

  var id: Dialect.ID { Dialect.ID(rawValue: String(name.prefix { $0 != "/" })) }
  var testDescription: String { name }

  static let all: [DialectFixture] = {
    let folder = Fixtures.url("dialects")
    let expectations = json(folder.appending(path: "expectations.json"))
    let files = FileManager.default.enumerator(atPath: folder.path()) ?? .init()
    return files.compactMap { $0 as? String }.sorted()
      .filter { $0.contains("/") && $0.hasSuffix(".json") }.map { file in
        let name = String(file.dropLast(5))
        return DialectFixture(
          name: name, payload: json(folder.appending(path: file)),
          expectation: expectations[name])
      }
  }()

  /// The JSON of a file; `null`, which matches no expectation, where it cannot be read.
  private static func json(_ file: URL) -> JSONValue {
    (try? JSONValue(parsing: Data(contentsOf: file))) ?? .null
  }
}

extension PayloadRequest {
  /// The properties that differ from their defaults, by the names of `expectations.json`.
  var summary: JSONValue {
    var object: [String: JSONValue?] = [
      "dialect": .string(dialect.rawValue), "alternative_text": alternativeText.json,
      "title": title.json, "subtitle": subtitle.json, "body": body.json,
      "text_needs_media": textNeedsMedia ? true : nil, "category": category.json,
      "deep_link": deepLink.json, "id": messageID.json,
    ]
    if !media.isEmpty { object["media"] = .array(media.map(\.summary)) }
    if !buttons.isEmpty { object["buttons"] = .array(buttons.map(\.summary)) }
    switch badge {
    case .set(let number)?: object["badge"] = .string("set \(number)")
    case .add(let number)?: object["badge"] = .string("add \(number)")
    case nil: break
    }
    return .object(object.compactMapValues(\.self))
  }
}

extension RichMedia {
  fileprivate var summary: JSONValue {
    var object: [String: JSONValue?] = [
      "url": .string(wanted.url), "path": .string(wanted.path.description),
      "identifier": identifier.isEmpty ? nil : .string(identifier),
      "type": (wanted.declaredType?.identifier).json,
      "family": (wanted.declaredFamily?.description).json, "sha256": wanted.sha256.json,
    ]
    if !alternatives.isEmpty {
      object["alternatives"] = .array(
        alternatives.map { other in
          let members: [String: JSONValue?] = [
            "url": .string(other.url), "family": (other.declaredFamily?.description).json,
            "deep_link": other.deepLink.json,
          ]
          return .object(members.compactMapValues(\.self))
        })
    }
    if thumbnail != ThumbnailOptions() {
      let members: [String: JSONValue?] = [
        "hidden": thumbnail.isHidden.map(JSONValue.bool),
        "crop": thumbnail.clippingRect.map { rect in
          .array([rect.x, rect.y, rect.width, rect.height].map(\.json))
        },
        "time": thumbnail.time.map(\.json),
      ]
      object["thumbnail"] = .object(members.compactMapValues(\.self))
    }
    return .object(object.compactMapValues(\.self))
  }
}

extension RichButton {
  fileprivate var summary: JSONValue {
    let object: [String: JSONValue?] = [
      "identifier": .string(identifier), "title": .string(title), "url": url.json,
      "destructive": isDestructive ? true : nil, "opens_app": opensApp ? nil : false,
      "unlock": requiresUnlock ? true : nil,
      "input": textInput.map { [.string($0.buttonTitle), .string($0.placeholder)] },
      "icon": icon.map { [.string($0.name), .bool($0.isSystem)] },
    ]
    return .object(object.compactMapValues(\.self))
  }
}

extension String? {
  fileprivate var json: JSONValue? { map(JSONValue.string) }
}

extension Double {
  /// The number as the parser reads it: an integer where it has no fraction.
  fileprivate var json: JSONValue {
    Int64(exactly: self).map(JSONValue.integer) ?? .number(self)
  }
}
