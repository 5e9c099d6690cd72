import NetworkAddresses
import Testing

@Suite("Ranges of addresses")
struct AddressRangeTests {
  @Test(
    "a range contains the addresses with its prefix",
    arguments: [
      ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false),
      ("192.0.2.77/24", "192.0.2.1", true), ("192.0.2.7", "192.0.2.7", true),
      ("192.0.2.7", "192.0.2.6", false), ("192.0.2.6/31", "192.0.2.7", true),
      ("192.0.2.6/31", "192.0.2.8", false), ("128.0.0.0/1", "127.255.255.255", false),
      ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
      ("::/0", "2001:db8::1", true), ("::/0", "192.0.2.1", false),
      ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
      ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
      ("::1", "::1", true), ("fe80::/10", "fe80::1%eth0", true),
      ("192.0.2.0/24", "::ffff:192.0.2.9", true), ("::ffff:192.0.2.9", "192.0.2.9", true),
      ("192.0.2.0/24", "", false), ("192.0.2.0/24", "localhost", false),
    ])
  func contains(range: String, address: String, isIn: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(address) == isIn)
  }

  @Test(
    "text that is not a range is refused",
    arguments: [
      "", "/", "/8", "192.0.2.0/", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2.0/+8", "192.0.2.0/8/8",
      "192.0.2", "192.0.2.256", "example.com", "::/129", "2001:db8:::/32", "fe80::1%eth0",
      "192.0.2.0/99999999999999999999", "192.0.2.1\0", " 192.0.2.1", "[::1]",
    ])
  func refused(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test(
    "addresses are counted by themselves, those of IPv6 by their first 64 bits",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::", "2001:db8:1:2::/64"),
      ("2001:db8:1:3::", "2001:db8:1:3::/64"), ("::1", "::/64"),
      ("fe80::1%eth0", "fe80::/64"), ("", ""), ("peer", "peer"),
    ])
  func network(address: String, name: String) {
    #expect(NumericAddress.network(of: address) == name)
  }

  @Test(
    "an IPv6 address stands for networks of three sizes, any other one for itself",
    arguments: [
      ("192.0.2.1", ["192.0.2.1"]), ("peer", ["peer"]),
      (
        "2001:db8:1:2ff::3",
        ["2001:db8:1:2ff::/64", "2001:db8:1:200::/56", "2001:db8:1::/48"]
      ),
    ])
  func networks(address: String, names: [String]) {
    #expect(NumericAddress.networks(of: address) == names)
  }

  @Test("the description of a range is the text that it was made from")
  func description() {
    #expect(AddressRange("2001:DB8::/32")?.description == "2001:DB8::/32")
  }
}
