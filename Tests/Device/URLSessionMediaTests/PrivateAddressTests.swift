import Foundation
import MediaLoading
import Testing

/// IANA's registries of special-purpose addresses (RFC 6890), each block tested at its first
/// and last address and just outside.
@Suite("Private addresses")
struct PrivateAddressTests {
  @Test(
    "the blocks of the IPv4 registry are private",
    arguments: [
      ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"),
      ("100.64.0.0", "100.127.255.255"), ("127.0.0.0", "127.255.255.255"),
      ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
      ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.88.99.0", "192.88.99.255"),
      ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"),
      ("198.51.100.0", "198.51.100.255"), ("203.0.113.0", "203.0.113.255"),
      ("224.0.0.0", "255.255.255.255"),
    ])
  func ipv4(first: String, last: String) throws {
    let bounds = try [first, last].map { text in
      try text.split(separator: ".").reduce(UInt32(0)) { try $0 << 8 | #require(UInt32($1)) }
    }
    for inside in [bounds[0], bounds[0] / 2 + bounds[1] / 2, bounds[1]] {
      let bytes = Self.bytes(inside)
      #expect(PrivateAddress.contains(bytes))
      for wrapped in Self.wrapped(bytes) { #expect(PrivateAddress.contains(wrapped)) }
    }
    for outside in [bounds[0] &- 1, bounds[1] &+ 1] where outside != 0 && outside != .max {
      let bytes = Self.bytes(outside)
      #expect(!PrivateAddress.contains(bytes))
      for wrapped in Self.wrapped(bytes) { #expect(!PrivateAddress.contains(wrapped)) }
    }
  }

  @Test(
    "IPv6 is private except for global unicast without its reserved parts",
    arguments: [
      "::", "::1", "::7f00:1", "::127.0.0.1", "64:ff9b:1::1", "100::1", "1fff::1", "2001::1",
      "2001:2::1", "2001:10::1", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff::1", "3fff::1",
      "3fff:fff::1", "4000::", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fe80::1%eth0",
      "febf::1",
      "fec0::1", "ff02::1", "ff0e::1", "::ffff:127.0.0.1", "::FFFF:7f00:1", "64:ff9b::10.0.0.1",
      "2002:7f00:1::", "2002:c0a8:101::1",
    ])
  func ipv6(text: String) throws {
    #expect(PrivateAddress.contains(text))
    let host = text.replacingOccurrences(of: "%", with: "%25")
    #expect(PrivateAddress.isHost(of: try #require(URL(string: "https://[\(host)]:8443/x"))))
  }

  @Test(
    "public addresses are not private",
    arguments: [
      "1.1.1.1", "8.8.8.8", "17.253.144.10", "100.63.255.255", "100.128.0.0", "172.15.0.1",
      "172.32.0.1", "192.0.1.1", "192.31.196.1", "198.17.255.255", "198.20.0.0", "223.255.255.255",
      "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1",
      "2606:4700::1111", "2a00:1450::1", "3ffe::1", "3fff:1000::1", "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8", "2002:808:808::1", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g", "",
      "1.2.3.4.5", "256.1.1.1", "1.256.1", "0x100000000", "a.b", "::1.2", "1:2", ":::",
    ])
  func isPublic(text: String) { #expect(!PrivateAddress.contains(text)) }

  @Test("bytes that are not an address count as private", arguments: [0, 3, 5, 15, 17])
  func noAddress(count: Int) {
    #expect(PrivateAddress.contains([UInt8](repeating: 8, count: count)))
  }

  @Test(
    "private addresses in a URL are found in every form that resolvers accept",
    arguments: [
      "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F000001", "017700000001",
      "0177.0.0.1", "0x7f.1", "127.0x0.0.01", "0", "0x", "10.1", "0xa9fea9fe", "169.254.169.254",
      "127.0.0.1.", "127.1.", "127.0.0.1..", "%31%32%37.0.0.1", "127%2E0%2E0%2E1", "[::1]", "[::]",
      "[0:0:0:0:0:ffff:7f00:0001]", "[::ffff:127.0.0.1]", "localhost", "LocalHost", "localhost.",
      "a.localhost", "a.b.localhost.", "printer.local", "router.home.arpa", "local",
      "metadata.google.internal", "localhost.localdomain", "ip6-localhost", "%6cocalhost",
      "4294967296", "256.0.0.1", "08.0.0.1", "1.2.3.4.5", "00000000000000000177.0.0.1", "a.0x1",
    ])
  func hosts(host: String) throws {
    for text in ["https://\(host)/x", "http://me@\(host):8080", "https://\(host)?q#f"] {
      #expect(PrivateAddress.isHost(of: try #require(URL(string: text))))
    }
  }

  @Test(
    "private addresses are found after IDNA mapping",
    arguments: [
      "１２７.0.0.1", "127。0。0。1", "127．0．0．1", "①②⑦.0.0.1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "local\u{AD}host",
      "127.0.0.1\u{200B}",
    ])
  func mapped(host: String) throws {
    // Not every version of Foundation accepts these as URLs.
    guard let url = URL(string: "https://\(host)/") else { return }
    #expect(PrivateAddress.isHost(of: url))
  }

  @Test(
    "private names are found",
    arguments: [
      "example.com", "localhost.example.com", "mylocalhost", "alocal", "127.0.0.1.example.com",
      "1.1", "8.8.8.8", "0x08080808", "134744072", "cdn1", "a.b.c.", "[2606:4700::1111]", "x1.2x",
      "internal.example", "arpa",
    ])
  func publicHosts(host: String) throws {
    #expect(!PrivateAddress.isHost(of: try #require(URL(string: "https://\(host)/x"))))
  }

  @Test("a URL without a host is not private", arguments: ["file:///x", "data:,x", "/x"])
  func noHost(text: String) throws {
    #expect(!PrivateAddress.isHost(of: try #require(URL(string: text))))
  }

  private static func bytes(_ address: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }
  }

  /// Mapped (`::ffff:0:0/96`), translated (`64:ff9b::/96`) and by 6to4 (`2002::/16`).
  private static func wrapped(_ address: [UInt8]) -> [[UInt8]] {
    [
      zeros(10) + [0xFF, 0xFF] + address, [0, 0x64, 0xFF, 0x9B] + zeros(8) + address,
      [0x20, 0x02] + address + zeros(10),
    ]
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
