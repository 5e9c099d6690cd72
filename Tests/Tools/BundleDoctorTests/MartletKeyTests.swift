import BundleDoctor
import BundleFixtures
import Foundation
import PushPayload
import RichNotifications
import TestSupport
import Testing

@Suite("The dictionary Martlet: doctor and engine agree")
struct MartletKeyTests {
  @Test("the doctor knows the keys that the engine reads, and no other")
  func names() throws {
    let source = Repository.url(
      "Sources/Device/RichNotifications/Engine/RichConfiguration+InfoPlist.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    let read = Set(text.matches(of: /\["([A-Z]\w+)"\]/).map { String($0.1) })
    #expect(read.subtracting(["Martlet"]) == DoctorRule.martletKeys)
  }

  /// The engine's configuration with a value, or without the key.
  private func outcome(_ key: String, _ value: Any?) -> String {
    let configuration = RichConfiguration(info: ["Martlet": value.map { [key: $0] } ?? [:]])
    return switch key {
    case "Deadline": "\(configuration.deadline)"
    case "AllowsPlainHTTP": "\(configuration.media.allowsPlainHTTP)"
    case "AllowsPrivateAddresses": "\(configuration.media.allowsPrivateAddresses)"
    case "AllowedHosts": "\(String(describing: configuration.media.allowedHosts))"
    case "LowDataMode": "\(configuration.media.lowDataMode)"
    case "RequiresEncryption": "\(configuration.requiresEncryption)"
    case "Placeholder": "\(String(describing: configuration.placeholder))"
    default: "\(configuration.dialects.dialects.map(\.id))"
    }
  }

  @Test(
    "a value that the doctor accepts has an effect",
    arguments: [
      ("Deadline", 1), ("Deadline", 29), ("AllowsPlainHTTP", true),
      ("AllowsPrivateAddresses", true), ("AllowedHosts", ["a.example"]),
      ("AllowedHosts", "a.example"), ("LowDataMode", "full"), ("LowDataMode", "text"),
      ("MediaKeys", ["data.picture"]), ("DisabledDialects", ["sailthru"]),
      ("RequiresEncryption", true), ("Placeholder", "A message"),
    ] as [(String, PropertyList)])
  func good(_ key: String, _ value: PropertyList) {
    #expect(DoctorRule.martlet(key, takes: value))
    #expect(outcome(key, value.foundation) != outcome(key, nil))
  }

  @Test(
    "the engine ignores a value that the doctor reports",
    arguments: [
      ("Deadline", 0), ("Deadline", 30), ("Deadline", "20"), ("AllowsPlainHTTP", "YES"),
      ("AllowsPrivateAddresses", "YES"), ("LowDataMode", "off"), ("LowDataMode", 1),
      ("MediaKeys", "data.picture"), ("DisabledDialects", ["nobody"]),
      ("DisabledDialects", "sailthru"), ("Placeholder", 1),
    ] as [(String, PropertyList)])
  func bad(_ key: String, _ value: PropertyList) {
    #expect(!DoctorRule.martlet(key, takes: value))
    #expect(outcome(key, value.foundation) == outcome(key, nil))
  }

  @Test("an invalid RequiresEncryption requires it")
  func encryption() {
    #expect(!DoctorRule.martlet("RequiresEncryption", takes: "YES"))
    #expect(RichConfiguration(info: ["Martlet": ["RequiresEncryption": "YES"]]).requiresEncryption)
  }

  @Test("an invalid list of hosts allows no host")
  func hosts() {
    #expect(!DoctorRule.martlet("AllowedHosts", takes: 1))
    #expect(RichConfiguration(info: ["Martlet": ["AllowedHosts": 1]]).media.allowedHosts == [])
  }
}
