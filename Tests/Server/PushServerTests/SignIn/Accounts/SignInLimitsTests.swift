import PushModel
import Testing

@testable import PushServer

@Suite("The limits of signing in")
struct SignInLimitsTests {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)

  @Test("the sixth attempt for an account from an address waits, and one a minute is allowed then")
  func accountAndAddress() {
    var limits = SignInLimits()
    var now = Self.start
    func attempt(_ account: String = "ada", from address: String = "192.0.2.1") -> Int? {
      limits.wait(.password, account: account, address: address, at: now)
    }
    for _ in 1...5 { #expect(attempt() == nil) }
    #expect(attempt() == 60)
    #expect(attempt("eve") == nil, "another account")
    #expect(attempt(from: "192.0.2.2") == nil, "another address")
    now = now + .milliseconds(59_999)
    #expect(attempt() == 1)
    now = now + .milliseconds(1)
    #expect(attempt() == nil)
    #expect(attempt() == 60)
  }

  @Test("the twenty-first attempt of an address waits, whosever account it is for")
  func address() {
    var limits = SignInLimits()
    for number in 1...20 {
      #expect(
        limits.wait(.password, account: "a\(number)", address: "192.0.2.1", at: Self.start) == nil)
    }
    #expect(
      limits.wait(.password, account: "another", address: "192.0.2.1", at: Self.start) == 30)
    #expect(limits.wait(.code, account: "another", address: "192.0.2.1", at: Self.start) == 30)
    // One household has one network of IPv6, with more addresses than anybody can count.
    for number in 1...20 {
      let address = "2001:db8::\(number)"
      #expect(
        limits.wait(.password, account: "b\(number)", address: address, at: Self.start) == nil)
    }
    #expect(
      limits.wait(.password, account: "another", address: "2001:db8::ffff", at: Self.start) == 30)
  }

  @Test("the fifty-first attempt for an account waits, wherever it comes from")
  func account() {
    var limits = SignInLimits()
    for number in 1...50 {
      #expect(
        limits.wait(.password, account: "ada", address: "192.0.2.\(number)", at: Self.start) == nil)
    }
    #expect(limits.wait(.password, account: "ada", address: "198.51.100.1", at: Self.start) == 300)
  }

  @Test("a known browser has five attempts, then one in five minutes, whatever others try")
  func knownBrowser() {
    var limits = SignInLimits()
    var now = Self.start
    for number in 1...60 {
      _ = limits.wait(.password, account: "ada", address: "192.0.2.\(number)", at: now)
    }
    func attempt(_ step: SignInLimits.Step = .password, in browser: String? = "b1") -> Int? {
      limits.wait(step, account: "ada", address: "192.0.2.1", browser: browser, at: now)
    }
    #expect(attempt(in: nil) != nil)
    for _ in 1...5 { #expect(attempt() == nil) }
    #expect(attempt() == 300)
    #expect(attempt(.code) == nil, "codes have attempts of their own")
    #expect(attempt(in: "b2") == nil)
    now = now + .seconds(300)
    #expect(attempt() == nil)
    #expect(attempt() == 300)
  }

  @Test("attempts that succeed are not counted")
  func successes() {
    var limits = SignInLimits()
    for step in [SignInLimits.Step.password, .passkey] {
      for _ in 1...100 {
        #expect(limits.wait(step, account: "ada", address: "192.0.2.1", at: Self.start) == nil)
        limits.succeeded(step, account: "ada", address: "192.0.2.1", at: Self.start)
      }
    }
    for _ in 1...5 {
      #expect(limits.wait(.password, account: "ada", address: "192.0.2.1", at: Self.start) == nil)
    }
    #expect(limits.wait(.password, account: "ada", address: "192.0.2.1", at: Self.start) == 60)
  }
}
