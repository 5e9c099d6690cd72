import Foundation
import PushCrypto
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// Who has signed in, as the cookie says it: sealed with the server's secret key, so that nobody
/// else can write or read one, and every node that shares the secret knows it.
///
/// It names the keys by their hashes, which are looked up at every request: a key that is revoked
/// opens no page from then on.
struct Session: Sendable, Equatable {
  /// How long a session lasts that nobody uses.
  static let life = Duration.seconds(12 * 3600)
  /// Signing in to one more app forgets the first; the cookie stays below 2 KB.
  static let mostKeys = 16
  private static let owner = "dashboard session"
  private static let name = "martlet_session"

  /// The hashes of the keys, the latest first.
  private(set) var keys: [[UInt8]] = []
  /// What a form must bring along; no other site can know it.
  let formToken: String
  private(set) var expiresAt: Timestamp

  init(at now: Timestamp) {
    formToken = Identifiers.hex(OpenSSLCrypto.randomBytes(16))
    expiresAt = now + Self.life
  }

  /// The session of a request; `nil` where there is none, or it is over.
  init?(_ request: HTTPRequest, sealedWith secret: SecretKey, at now: Timestamp) {
    let prefix = Self.name + "="
    let cookies = request.headers.filter { $0.name.lowercased() == "cookie" }
      .flatMap { $0.value.split(separator: ";") }.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }), cookie.utf8.count <= 4096,
      let sealed = Base64URL.decode(String(cookie.dropFirst(prefix.count))),
      let text = secret.open(sealed, for: Self.owner),
      let value = try? JSONValue(parsing: text),
      let expiry = value["until"]?.integer, now < Timestamp(milliseconds: expiry),
      let token = value["token"]?.string
    else { return nil }
    keys = (value["keys"]?.array ?? []).compactMap { $0.string.flatMap { Base64URL.decode($0) } }
    formToken = token
    expiresAt = Timestamp(milliseconds: expiry)
  }

  mutating func add(key hash: [UInt8]) {
    keys = Array(([hash] + keys.filter { $0 != hash }).prefix(Self.mostKeys))
  }

  /// Whether a form came from one of this session's pages.
  func issued(_ token: String?) -> Bool {
    OpenSSLCrypto.constantTimeEqual(Array((token ?? "").utf8), Array(formToken.utf8))
  }

  /// The header that makes a browser keep it for another ``life``.
  func cookie(
    sealedWith secret: SecretKey, secure: Bool, at now: Timestamp
  ) -> (String, String) {
    let value: JSONValue = [
      "keys": .array(keys.map { .string(Base64URL.encode($0)) }), "token": .string(formToken),
      "until": .integer((now + Self.life).milliseconds),
    ]
    let text = String(decoding: value.serialized(), as: UTF8.self)
    let sealed = Base64URL.encode(secret.seal(text, for: Self.owner))
    return Self.header(sealed, seconds: Self.life.components.seconds, secure: secure)
  }

  /// The header that makes a browser forget it.
  static func end(secure: Bool) -> (String, String) { header("", seconds: 0, secure: secure) }

  private static func header(_ value: String, seconds: Int64, secure: Bool) -> (String, String) {
    (
      "Set-Cookie",
      "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (secure ? "; Secure" : "")
    )
  }
}
