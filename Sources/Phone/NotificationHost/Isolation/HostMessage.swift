import Foundation
import MediaLoading
import PushPayload
import _Spawn

/// A message from the host to an extension process.
///
/// A message with a `call` number is followed by ``ExtensionMessage/done(call:stops:)`` when the extension's
/// code has returned. Until then the host's clock does not jump.
enum HostMessage: Codable, Sendable {
  case receive(call: Int, ExtensionInput)
  case warn(call: Int)
  /// Work that the extension scheduled is due.
  case fire(call: Int, work: Int)
  case head(call: Int, load: Int, status: Int, headers: [String: String])
  case finish(call: Int, load: Int, error: WireLoadError?)
  case time(reply: Int, Duration)
  /// The content was accepted, so the handler may return.
  case replyAccepted
}

/// A message from an extension process to its host.
enum ExtensionMessage: Codable, Sendable {
  /// The process waits for a notification; its current memory is its idle memory.
  case ready
  /// The instance was created.
  case launched
  case done(call: Int, stops: Bool)
  /// The content handler was called.
  case replied(WireContent, categories: [WireCategory]?)
  case time(ask: Int)
  case schedule(work: Int, after: Duration)
  case cancel(work: Int)
  /// Hold the host's clock.
  case hold(Int, freezeLimit: Duration)
  case release(Int)
  case load(load: Int, WireRequest)
  case cancelLoad(load: Int)
  /// Pass a value to ``ExtensionProcess/noted``.
  case note(JSONValue)
  /// The code has met a limit of the model.
  case notModelled(String)
}

/// The notification and the environment that the host sends to an extension process.
struct ExtensionInput: Codable, Sendable {
  var identifier: String
  var content: WireContent
  var temporaryDirectory: URL
  var container: URL
  var bundle: URL?
  var extensionBundle: URL?
  var appGroup: URL?
  var appGroupIdentifier: String?
  var extensionInfo: JSONValue
  /// The categories in the extension's Info.plist.
  var extensionCategories: [String]
  /// The registered categories.
  var categories: [WireCategory]
  var transportSecurity: TransportSecurity
  var freeDiskSpace: Int64?
  var keychainGroups: [String]
  var lockState: String
  var checksFileAtInit: Bool
  var megabyte: Int64
  var configuration: JSONValue
}

/// A ``MediaRequest`` in a message.
struct WireRequest: Codable, Sendable {
  var url: URL
  var headers: [String: String]
  var method: String
  var body: Data?
  var allowsConstrainedNetwork: Bool
  var allowsPrivateAddress: Bool

  init(_ request: MediaRequest) {
    url = request.url
    headers = request.headers
    (method, body) = (request.method, request.body)
    allowsConstrainedNetwork = request.allowsConstrainedNetwork
    allowsPrivateAddress = request.allowsPrivateAddress
  }

  var request: MediaRequest {
    var request = MediaRequest(
      url: url, headers: headers, allowsConstrainedNetwork: allowsConstrainedNetwork,
      allowsPrivateAddress: allowsPrivateAddress)
    (request.method, request.body) = (method, body)
    return request
  }
}

/// A ``MediaLoadError`` in a message.
struct WireLoadError: Codable, Sendable {
  var code: String
  var message: String

  init(_ error: MediaLoadError) { (code, message) = (error.code.rawValue, error.message) }

  var error: MediaLoadError { MediaLoadError(.init(rawValue: code), message) }
}

/// A frame between host and extension: a message as JSON, or a piece of a body as raw bytes.
enum Frame<Message: Codable & Sendable>: Sendable {
  case message(Message)
  case piece(call: Int, load: Int, [UInt8])

  private static var messageMark: UInt8 { 0 }
  private static var pieceMark: UInt8 { 1 }

  /// Decodes a frame; `nil` for invalid bytes.
  init?(_ bytes: [UInt8]) {
    switch bytes.first {
    case Self.messageMark:
      guard
        let message = try? FrameCoding.decoder.decode(Message.self, from: Data(bytes.dropFirst()))
      else { return nil }
      self = .message(message)
    case Self.pieceMark where bytes.count > 17:
      func number(at start: Int) -> Int {
        Int(truncatingIfNeeded: bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      }
      self = .piece(call: number(at: 1), load: number(at: 9), Array(bytes[17...]))
    default: return nil
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .message(let message):
      // Encoding cannot fail: no message has a value that the encoder refuses.
      return [Self.messageMark] + ((try? FrameCoding.encoder.encode(message)) ?? Data())
    case .piece(let call, let load, let body):
      let numbers = [call, load].flatMap { number in
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      }
      return [Self.pieceMark] + numbers + body
    }
  }
}

/// The JSON coders of messages, which allow non-finite numbers.
enum FrameCoding {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
