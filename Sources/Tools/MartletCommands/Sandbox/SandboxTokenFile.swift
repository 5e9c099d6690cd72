import APNsSandbox
import Foundation
import PushPayload
import PushServer

/// The file of `martlet apns-sandbox --tokens`, which lists device tokens that are not active.
struct SandboxTokenFile: Sendable, Equatable {
  /// The most bytes of a file, which suffice for about 100,000 tokens.
  static let limit = 16 << 20

  /// The inactive tokens (410 `Unregistered`), with the time in milliseconds since 1970.
  var gone: [String: Int64] = [:]
  /// The expired tokens (410 `ExpiredToken`), with the time.
  var expired: [String: Int64] = [:]
  /// The tokens of the other environment (400 `BadDeviceToken`).
  var foreign: Set<String> = []
  /// The tokens of the phones that are offline at first.
  var offline: Set<String> = []
  /// The bundle ids of the apps that tokens belong to (400 `DeviceTokenNotForTopic` for others).
  var apps: [String: String] = [:]

  /// Reads a file.
  ///
  /// `now` is the time for tokens that are listed without one, in milliseconds since 1970.
  ///
  /// - Throws: ``CommandFailure`` with the key.
  init(path: String, now: Int64) throws {
    let data = try InputFile.data(path, role: "which --tokens names")
    guard data.count <= Self.limit else {
      throw CommandFailure("\(path), which --tokens names, has more than 16 MiB")
    }
    do { try self.init(json: data, now: now) } catch let error as CommandFailure {
      throw CommandFailure("\(path): \(error.message); docs/provider/sandbox.md has the keys")
    }
  }

  init(json: Data, now: Int64) throws {
    guard let document = try? JSONValue(parsing: json), let members = document.object else {
      throw CommandFailure("a file of tokens is a JSON object")
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "gone": gone = try Self.times(value, key, now: now)
      case "expired": expired = try Self.times(value, key, now: now)
      case "foreign": foreign = Set(try Self.list(value, key))
      case "offline": offline = Set(try Self.list(value, key))
      case "apps":
        guard let object = value.object else { throw Self.failure(key, "an object") }
        for (token, bundleID) in object {
          guard let bundleID = bundleID.string, !bundleID.isEmpty else {
            throw Self.failure(key, "a bundle id for each token")
          }
          apps[try Self.token(token, key)] = bundleID
        }
      default:
        throw CommandFailure(
          "\"\(key)\" is unknown; the keys are gone, expired, foreign, offline and apps")
      }
    }
  }

  /// Sets the tokens in a configuration.
  func apply(to configuration: inout VirtualAPNs.Configuration) {
    configuration.goneTokens = gone
    configuration.expiredTokens = expired
    configuration.foreignTokens = foreign
    configuration.offlineTokens = offline
    configuration.apps = apps
  }

  /// An object of tokens with times, or a list of tokens without times.
  private static func times(
    _ value: JSONValue, _ key: String, now: Int64
  ) throws -> [String: Int64] {
    if value.array != nil {
      return Dictionary(try list(value, key).map { ($0, now) }) { first, _ in first }
    }
    guard let object = value.object else { throw failure(key, "an object or a list of tokens") }
    var times: [String: Int64] = [:]
    for (name, time) in object {
      guard let milliseconds = time.integer, milliseconds >= 0 else {
        throw failure(key, "milliseconds since 1970 for each token")
      }
      times[try token(name, key)] = milliseconds
    }
    return times
  }

  private static func list(_ value: JSONValue, _ key: String) throws -> [String] {
    guard let items = value.array else { throw failure(key, "a list of tokens") }
    return try items.map { item in
      guard let text = item.string else { throw failure(key, "a list of tokens") }
      return try token(text, key)
    }
  }

  private static func token(_ text: String, _ key: String) throws -> String {
    do throws(PushToken.Refusal) { return try PushToken.read(text) } catch {
      throw CommandFailure("\"\(key)\": the token \"\(text.prefix(64))\" \(error.reason)")
    }
  }

  private static func failure(_ key: String, _ takes: String) -> CommandFailure {
    CommandFailure("\"\(key)\" takes \(takes)")
  }
}
