import PushCrypto
import PushModel
import _OpenSSLCrypto

/// Time-based one-time passwords (RFC 6238) with HMAC-SHA-1 and steps of 30 seconds, as all authenticator apps make them.
struct OneTimePassword: Sendable {
  /// The length of a secret in bytes, which is that of the hash (RFC 4226, section 4, R6).
  static let secretLength = 20
  static let digits = 6
  /// The length of a step in seconds.
  static let period: Int64 = 30
  /// The number of steps before and after the current one that are accepted, because clocks differ (RFC 6238, section
  /// 5.2).
  static let tolerance: Int64 = 1

  let secret: [UInt8]

  init(secret: [UInt8]) { self.secret = secret }

  static func makeSecret() -> [UInt8] { OpenSSLCrypto.randomBytes(secretLength) }

  static func step(at now: Timestamp) -> Int64 {
    now.milliseconds / 1000 / period
  }

  /// The code of a step, with 6 to 8 digits (RFC 4226, section 5.3).
  func code(step: Int64, digits: Int = Self.digits) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
    let hash = OpenSSLCrypto.hmacSHA1(key: secret, message: counter)
    let start = Int(hash[19] & 0xf)
    let number = hash[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let modulus = (0..<digits).reduce(UInt32(1)) { power, _ in power * 10 }
    let text = String(number % modulus)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The step whose code a person has typed; `nil` if no step near the current one has this code.
  ///
  /// Spaces are ignored, because apps show codes in two groups.
  func step(of typed: String, at now: Timestamp) -> Int64? {
    let given = Array(typed.utf8.filter { $0 != UInt8(ascii: " ") }.prefix(Self.digits + 1))
    let current = Self.step(at: now)
    var found: Int64?
    // All steps are compared, so that the time of the answer does not reveal the step.
    for step in (current - Self.tolerance)...(current + Self.tolerance)
    where OpenSSLCrypto.constantTimeEqual(given, Array(code(step: step).utf8)) {
      found = max(found ?? step, step)
    }
    return found
  }

  /// The secret in Base32 without padding, for people who type it into their app (RFC 4648, section 6).
  var base32: String { Self.base32(secret) }

  /// The URI that apps read from a QR code (Key URI Format of Google Authenticator).
  func uri(issuer: String, account: String) -> String {
    let (issuer, account) = (Self.escaped(issuer), Self.escaped(account))
    return
      "otpauth://totp/\(issuer):\(account)?secret=\(base32)&issuer=\(issuer)&algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)"
  }

  static func base32(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var (text, buffer, bits) = ([UInt8](), UInt32(0), 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
      }
      buffer &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    URLEncoded.encode(text).replacing("%40", with: "@")
  }
}

/// Recovery codes for people who have lost their phone; each works once.
enum RecoveryCode {
  static let count = 10

  /// Makes codes of 80 random bits, which need no slow hash, in four groups of letters and digits.
  static func makeAll() -> [String] {
    (0..<count).map { _ in
      let text = OneTimePassword.base32(OpenSSLCrypto.randomBytes(10)).lowercased()
      return stride(from: 0, to: 16, by: 4).map { text.dropFirst($0).prefix(4) }.joined(
        separator: "-")
    }
  }

  /// The hash of a code, without regard to case, hyphens and spaces.
  static func hash(_ typed: String) -> [UInt8] {
    OpenSSLCrypto.sha256(
      typed.lowercased().utf8.prefix(64).filter {
        $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ")
      })
  }
}

extension OneTimePassword {
  /// The text of the secret that is encrypted and stored.
  var sealedText: String { Base64URL.encode(secret) }

  /// Reads ``sealedText``; `nil` if a text is not a secret of this length.
  init?(sealedText text: String) {
    guard let secret = Base64URL.decode(text), secret.count == Self.secretLength else { return nil }
    self.init(secret: secret)
  }
}
