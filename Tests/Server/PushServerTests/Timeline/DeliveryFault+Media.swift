import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import TestSupport

/// Faults of the picture, which the phone's service extension reports.
extension DeliveryFault {
  /// A fault of the answer of the picture's server.
  private static func answer(
    _ name: String, _ reason: String, from source: String,
    _ edit: @escaping @Sendable (inout ScriptedNetwork.Response) -> Void
  ) -> DeliveryFault {
    DeliveryFault("the picture: \(name)", "media_\(reason)", from: source) { world in
      edit(&world.phone.answer)
    }
  }

  /// A fault of the medium in the payload.
  private static func medium(
    _ name: String, _ reason: String, from source: String, _ medium: JSONValue
  ) -> DeliveryFault {
    DeliveryFault("the picture: \(name)", "media_\(reason)", from: source) { world in
      world.payload["_martlet"] = ["media": [medium]]
    }
  }

  static let media: [DeliveryFault] = [
    answer("404", "http_status", from: "customerio/customerio-ios#233") { $0 = .init(status: 404) },
    answer("403 of a signed URL", "http_status", from: "CleverTap/clevertap-react-native#409") {
      $0 = .init(status: 403)
    },
    answer("500", "http_status", from: "http-status") { $0 = .init(status: 500) },
    answer("an empty 204", "unsupported_type", from: "unsupported-type") {
      $0 = .init(status: 204)
    },
    answer("a page of HTML", "unsupported_type", from: "Pushwoosh/pushwoosh-ios-sdk#47") {
      $0.body = .bytes(Array("<!DOCTYPE html><html><body>Sign in</body></html>".utf8))
      $0.mimeType = "text/html"
    },
    answer("a text", "unsupported_type", from: "unsupported-type") {
      $0.body = .bytes(Array("no picture".utf8))
      $0.mimeType = "text/plain"
    },
    answer("larger than iOS attaches", "too_large", from: "parse-community/node-apn#143") {
      $0.announcedLength = 60_000_000
    },
    answer("endless", "too_large", from: "too-large") {
      $0.body = .endless((try? Fixtures.bytes("media/picture.png")) ?? [])
      $0.announcesLength = false
    },
    answer("stalled", "timeout", from: "firebase/flutterfire#7674") { $0.stallsAfter = 100 },
    answer("a lost connection", "network", from: "binwiederhier/ntfy#888") {
      $0.failure = .network
    },
    answer("no network", "offline", from: "binwiederhier/ntfy#888") { $0.failure = .offline },
    answer("a certificate that is not trusted", "untrusted", from: "untrusted") {
      $0.failure = .untrusted
    },
    answer("redirects without an end", "too_many_redirects", from: "too-many-redirects") {
      $0.redirectsTo = URL(string: ModelPhone.picture)
    },
    medium(
      "http", "not_https", from: "binwiederhier/ntfy#1796",
      ["url": "http://media.example.com/picture.png"]),
    medium(
      "a name and a password in the URL", "credentials_in_url", from: "credentials-in-url",
      ["url": "https://a:b@media.example.com/picture.png"]),
    medium(
      "a private address", "private_address", from: "binwiederhier/ntfy#898",
      ["url": "https://192.168.1.5/picture.png"]),
    medium(
      "another SHA-256", "sha256_mismatch", from: "sha256-mismatch",
      [
        "url": .string(ModelPhone.picture),
        "sha256": .string(String(repeating: "0", count: 64)),
      ]),
    DeliveryFault(
      "the picture: a phone whose clock is a year behind", "media_untrusted", from: "untrusted"
    ) { world in
      world.phone.clockError = -31_536_000
      world.phone.answer.failure = .untrusted
    },
    DeliveryFault(
      "the picture: 404, from an app that sends no trace", "media_http_status", from: "http-status"
    ) { world in
      world.phone.sendsTrace = false
      world.phone.answer = .init(status: 404)
    },
  ]
}
