import Foundation
import MediaLoading
import PayloadLint
import PushPayload
import Testing

@testable import RichNotifications

@Suite("Media URLs: the engine and martlet lint")
struct MediaURLAgreementTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    /// The URL that the engine requests; `nil` where it refuses the text.
    var loaded: String?
    var codes: Set<String>

    init(_ text: String, _ loaded: String?, _ codes: Set<String> = []) {
      (self.text, self.loaded, self.codes) = (text, loaded, codes)
    }

    var testDescription: String { String(text.prefix(60)) }
  }

  private static let site = "https://example.com/"

  static let rows: [Row] = escaped + plain + special + privateHosts + refused

  private static let paths: [(text: String, loaded: String)] = [
    ("my photo.png", "my%20photo.png"), ("100%", "100%25"), ("50% off", "50%25%20off"),
    ("%zz", "%25zz"), ("a%2", "a%252"), ("a%20b c", "a%20b%20c"), ("a%20b%", "a%20b%25"),
    ("a|b", "a%7Cb"), ("a\"b", "a%22b"), ("a\\b", "a%5Cb"), ("a^b", "a%5Eb"), ("a`b", "a%60b"),
    ("[a]", "%5Ba%5D"), ("?a[]=1", "?a%5B%5D=1"), ("a#b#c", "a#b%23c"), ("a\n", "a%0A"),
    ("a\tb", "a%09b"), ("a\u{A0}b", "a%C2%A0b"), ("a ", "a%20"), ("?a=1&amp;b", "?a=1&amp;b"),
  ]
  private static let escaped: [Row] = paths.map { path in
    Row(site + path.text, site + path.loaded, ["M730"])
  }
  private static let plain: [Row] = [
    site + "a.png", site + "a%20b.png", site + "?a=1&b=2#c/?d", site + "a;b=c,d!e$f'(g)*+~._-:@",
    site + String(repeating: "a", count: 3000), "HTTPS://EXAMPLE.com/a",
    "https://example.com:65535/a", "https://example.com:/a", "https://[2606:4700::1111]/a",
    "https://xn--4ca.example/a",
  ].map { Row($0, $0) }
  private static let special: [Row] = [
    Row(site + "ä.png", site + "%C3%A4.png"),
    Row("https://ä.example/b%20c", "https://xn--4ca.example/b%20c", ["M730"]),
    // A placeholder is loaded as it is, and is a fault of its own.
    Row(site + "a<b>", site + "a%3Cb%3E", ["M725"]), Row(site + "{a}", site + "%7Ba%7D", ["M725"]),
    Row("https://{{host}}/a", nil, ["M725"]), Row("http://example.com/a", nil, ["M721"]),
    Row("https://ada:secret@example.com/a", nil, ["M723"]),
    Row("https://ada@example.com/a", nil, ["M723"]),
  ]
  private static let privateHosts: [Row] = [
    "https://10.0.0.1/a", "https://203.0.113.5/a", "https://0x7f000001/a", "https://localhost/a",
    "https://printer.local/a", "https://[::1]/a", "https://metadata.google.internal/a",
  ].map { Row($0, nil, ["M724"]) }
  private static let refused: [Row] = [
    "https://example.com:0/a", "https://example.com:65536/a", "https://example.com:x/a",
    "https://example.com:99999999999999999999/a", "https:///a", "https://", "https:/example.com/a",
    "https:example.com/a", "//example.com/a", "https//example.com/a", " https://example.com/a",
    "https:// example.com/a", "https://exa mple.com/a", "https://exa|mple.com/a",
    "https://example.com\\a", "https://[::1/a", "https://:443/a", "https://https://example.com/a",
    "ftp://example.com/a", "data:,a", "s3://bucket/a", "example.com:8080/a", "/a.png", "../a.png",
    "C:\\a.png", "file:///a.png",
  ].map { Row($0, nil, ["M722"]) }

  /// What the engine requests for a text; `nil` where it refuses the text.
  private static func loaded(_ text: String) -> String? {
    guard let url = (try? MediaAddress(text))?.url else { return nil }
    do throws(MediaFailure) {
      try MediaPolicy().check(url)
      return url.absoluteString
    } catch { return nil }
  }

  private static func codes(_ text: String) -> Set<String> {
    let json: JSONValue = [
      "aps": ["alert": "A", "mutable-content": 1], "fcm_options": ["image": .string(text)],
    ]
    let report = LintReport(LintSubject(json.serialized(), now: nil))
    let judged: Set = ["M721", "M722", "M723", "M724", "M725", "M730"]
    return Set(report.entries.map(\.rule.code)).intersection(judged)
  }

  @Test(
    "the engine requests a text as one URL, and lint says what it refuses or escapes",
    arguments: rows)
  func agree(row: Row) {
    #expect(Self.loaded(row.text) == row.loaded)
    #expect(Self.codes(row.text) == row.codes)
  }

  @Test("without a percent sign, the system's own parser makes the same URL", arguments: rows)
  func system(row: Row) {
    guard let loaded = row.loaded, !row.text.contains("%") else { return }
    #expect(URL(string: row.text)?.absoluteString == loaded)
  }
}
