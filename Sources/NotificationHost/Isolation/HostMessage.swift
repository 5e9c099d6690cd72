import Foundation
import MediaLoading
import PushPayload
import _Spawn

/// What the host says to an extension in a process of its own.
///
/// A call with a number is answered by ``ExtensionMessage/done(call:stops:)`` once the extension's
/// code has returned; until then the host's clock does not jump.
enum HostMessage: Codable, Sendable {
  case receive(call: Int, Assignment)
  case warn(call: Int)
  /// Work that the extension has scheduled is due.
  case fire(call: Int, work: Int)
  case head(call: Int, load: Int, status: Int, headers: [String: String])
  case finish(call: Int, load: Int, error: WireLoadError?)
  case time(reply: Int, Duration)
  /// The content was taken; the handler returns.
  case taken
}

/// What an extension in a process of its own says to its host.
enum ExtensionMessage: Codable, Sendable {
  /// It waits for a notification; what it uses now is its idle memory.
  case ready
  /// The instance is there.
  case launched
  case done(call: Int, stops: Bool)
  /// The handler was called.
  case replied(WireContent, categories: [WireCategory]?)
  case time(ask: Int)
  case schedule(work: Int, after: Duration)
  case cancel(work: Int)
  /// Something of its own is under way: virtual time shall not jump.
  case hold(Int, patience: Duration)
  case release(Int)
  case load(load: Int, WireRequest)
  case cancelLoad(load: Int)
  /// What the program wants its host to know, besides.
  case note(JSONValue)
}

/// The notification, and the world around the extension.
struct Assignment: Codable, Sendable {
  var identifier: String
  var content: WireContent
  var temporaryDirectory: URL
  var bundle: URL?
  var appGroup: URL?
  /// The categories in the extension's Info.plist.
  var extensionCategories: [String]
  /// The categories that the system knows.
  var categories: [WireCategory]
  var transportSecurity: TransportSecurity
  var freeDiskSpace: Int64?
  var checksFileAtInit: Bool
  var megabyte: Int64
  var configuration: JSONValue
}

struct WireRequest: Codable, Sendable {
  var url: URL
  var headers: [String: String]
  var allowsConstrainedNetwork: Bool
  var allowsPrivateAddress: Bool

  init(_ request: MediaRequest) {
    url = request.url
    headers = request.headers
    allowsConstrainedNetwork = request.allowsConstrainedNetwork
    allowsPrivateAddress = request.allowsPrivateAddress
  }

  var request: MediaRequest {
    MediaRequest(
      url: url, headers: headers, allowsConstrainedNetwork: allowsConstrainedNetwork,
      allowsPrivateAddress: allowsPrivateAddress)
  }
}

struct WireLoadError: Codable, Sendable {
  var code: String
  var message: String

  init(_ error: MediaLoadError) { (code, message) = (error.code.rawValue, error.message) }

  var error: MediaLoadError { MediaLoadError(.init(rawValue: code), message) }
}

/// One frame between host and extension: a message as JSON, or a piece of a body as it is.
enum Frame<Message: Codable & Sendable>: Sendable {
  case message(Message)
  case piece(call: Int, load: Int, [UInt8])

  private static var messageMark: UInt8 { 0 }
  private static var pieceMark: UInt8 { 1 }

  /// Reads one; `nil` for what is none.
  init?(_ bytes: [UInt8]) {
    switch bytes.first {
    case Self.messageMark:
      guard
        let message = try? Wire.decoder.decode(Message.self, from: Data(bytes.dropFirst()))
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
      // Every message encodes: there is no value in one that the encoder refuses.
      return [Self.messageMark] + ((try? Wire.encoder.encode(message)) ?? Data())
    case .piece(let call, let load, let body):
      let numbers = [call, load].flatMap { number in
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      }
      return [Self.pieceMark] + numbers + body
    }
  }
}

enum Wire {
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
