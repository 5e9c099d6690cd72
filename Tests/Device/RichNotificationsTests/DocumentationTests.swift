import Foundation
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

/// The DocC articles list all codes of the sources.
@Suite("The articles' lists are complete")
struct DocumentationTests {
  static let room = Repository.url("Sources/Device/RichNotifications")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: room.appending(path: path), encoding: .utf8)
  }

  /// The strings between a mark and the next quotation mark.
  static func words(after mark: String, in text: String) -> [String] {
    text.components(separatedBy: mark).dropFirst().compactMap {
      $0.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
    }
  }

  @Test("Migration has a section for every dialect", arguments: DialectTable.standard.dialects)
  func dialects(dialect: Dialect) throws {
    let article = try Self.text("RichNotifications.docc/Migration.md")
    #expect(article.contains("(`\(dialect.id)`)") || article.contains("(dialect `\(dialect.id)`)"))
  }

  @Test("Troubleshooting has every reason why media fail")
  func reasons() throws {
    let article = try Self.text("RichNotifications.docc/Troubleshooting.md")
    let reasons = Self.words(
      after: "Reason(rawValue: \"", in: try Self.text("Engine/MediaFailure.swift"))
    #expect(reasons.count > 10)
    for reason in reasons { #expect(article.contains("\n| `\(reason)` |"), "\(reason)") }
  }

  @Test("Troubleshooting has every rule of the trace")
  func rules() throws {
    let article = try Self.text("RichNotifications.docc/Troubleshooting.md")
    var rules: [String] = []
    let sources = ["Engine/DeliveryTrace.swift", "Engine/RichDelivery.swift"]
    for stage in [
      "decryption", "dialect", "media", "template", "text", "buttons", "receipt", "deliver",
    ] {
      for source in sources {
        rules += Self.words(after: "note(.\(stage), \"", in: try Self.text(source))
      }
    }
    rules += Self.words(
      after: "Result(rawValue: \"", in: try Self.text("Categories/CategoryRegistry.swift"))
    rules += ["chosen", "none", "fetch", "resume", "type"]
    #expect(rules.count > 15)
    for rule in rules { #expect(article.contains("`\(rule)`"), "\(rule)") }
  }

  @Test("Encryption has every reason of a decryption failure")
  func closed() throws {
    let article = try Self.text("RichNotifications.docc/Encryption.md")
    let own = Self.words(
      after: "DecryptionFailure(\"",
      in: try Self.text("Engine/PayloadDecryption.swift") + Self.text("Engine/EnrichmentPlan.swift")
    )
    let codes = ["bad-key", "malformed", "truncated", "authentication", "too-large", "failed"]
    for word in own.filter({ !$0.hasPrefix("\\(") }) + codes {
      #expect(article.contains("`\(word)`"), "\(word)")
    }
  }

  @Test("First steps has every key of the Info.plist")
  func infoPlist() throws {
    let article = try Self.text("RichNotifications.docc/FirstSteps.md")
    let keys = Self.words(
      after: "keys[\"", in: try Self.text("Engine/RichConfiguration+InfoPlist.swift"))
    #expect(keys.count > 5)
    for key in keys + ["AppGroup"] { #expect(article.contains("\n| `\(key)` |"), "\(key)") }
  }
}
