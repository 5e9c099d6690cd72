import Foundation
import MediaLoading
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Media addresses")
struct MediaAddressTests {
  @Test(
    "a URL is remote, a name is local",
    arguments: [
      ("https://a/i.png", MediaAddress.remote(URL(string: "https://a/i.png")!)),
      ("file://movie.mp4", .local("movie.mp4")),
      ("movie.mp4", .local("movie.mp4")), ("file:movie.mp4", .local("movie.mp4")),
      ("my%20film.mov", .local("my film.mov")), ("films/a.mov", .local("films/a.mov")),
      ("HTTPS://A/i", .remote(URL(string: "HTTPS://A/i")!)),
    ])
  func addresses(text: String, address: MediaAddress) throws {
    #expect(try MediaAddress(text) == address)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "ftp://a/i.png", "data:image/png;base64,AA", "file:///etc/passwd", "../secret.png", "..",
      "a//b.png", "a/../../b", "%2e%2e%2fsecret", "file://", "javascript:alert(1)", "a\\b", "",
      "./a", "a%00.png", String(repeating: "a", count: 1025),
    ])
  func refused(text: String) {
    #expect(throws: MediaAddress.Refusal.self) { try MediaAddress(text) }
  }

  @Test("a local name has at most 1024 bytes")
  func longest() throws {
    let name = String(repeating: "a", count: 1024)
    #expect(try MediaAddress(name) == .local(name))
  }
}

@Suite("The policy for URLs")
struct MediaPolicyTests {
  static func reason(_ url: String, _ change: (inout MediaPolicy) -> Void = { _ in }) -> String? {
    var policy = MediaPolicy()
    change(&policy)
    guard let url = URL(string: url) else { return "no URL" }
    do throws(MediaFailure) {
      try policy.check(url)
      return nil
    } catch {
      return error.reason.rawValue
    }
  }

  @Test(
    "only HTTPS from a public host without credentials is allowed",
    arguments: [
      ("https://cdn.example.com/i", nil), ("http://cdn.example.com/i", "not-https"),
      ("https://user@cdn.example.com/i", "credentials-in-url"),
      ("https://:secret@cdn.example.com/i", "credentials-in-url"),
      ("https://127.0.0.1/i", "private-address"), ("https://10.1.2.3/i", "private-address"),
      ("https://[::1]/i", "private-address"), ("https://localhost/i", "private-address"),
      ("https:///i", "invalid-url"),
    ])
  func checks(url: String, reason: String?) { #expect(Self.reason(url) == reason) }

  @Test(
    "an allowed host is a name, or all subdomains of one",
    arguments: [
      ("https://cdn.example.com/i", nil), ("https://CDN.example.COM/i", nil),
      ("https://a.b.pictures.example/i", nil), ("https://pictures.example/i", "host-not-allowed"),
      ("https://evilpictures.example/i", "host-not-allowed"),
      ("https://cdn.example.com.evil.example/i", "host-not-allowed"),
    ])
  func hosts(url: String, reason: String?) {
    #expect(
      Self.reason(url) { $0.allowedHosts = ["cdn.example.com", "*.pictures.example"] } == reason)
  }

  @Test("plain HTTP and private addresses are allowed if the app allows them")
  func allowed() {
    #expect(Self.reason("http://cdn.example.com/i") { $0.allowsPlainHTTP = true } == nil)
    #expect(Self.reason("https://10.1.2.3/i") { $0.allowsPrivateAddresses = true } == nil)
  }
}
