import Dispatch
import PushModel
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import PushServer

extension ScryptCost {
  /// A cost that takes no time, for tests.
  static let cheap = ScryptCost(log: 4, block: 1, parallel: 1) ?? .standard
}

@Suite("Passwords")
struct PasswordTests {
  @Test("a hash is of its password alone, has a salt of its own, and is read from its text")
  func hash() throws {
    let one = try PasswordHash(of: "correct horse battery staple", cost: .cheap)
    let other = try PasswordHash(of: "correct horse battery staple", cost: .cheap)
    #expect(one.text != other.text)
    let read = try #require(PasswordHash(one.text))
    #expect(read == one)
    #expect(try read.matches("correct horse battery staple"))
    for wrong in [
      "correct horse battery stapl", "correct horse battery staple ",
      "Correct horse battery staple", "",
    ] {
      #expect(try !read.matches(wrong))
    }
  }

  /// The example of Passlib's documentation of `passlib.hash.scrypt`.
  @Test("a hash that Passlib has made is read")
  func passlib() throws {
    let text =
      "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E"
    let hash = try #require(PasswordHash(text))
    #expect(hash.text == text)
    #expect(try hash.matches("password"))
    #expect(try !hash.matches("Password"))
  }

  @Test("a password is the same however its accents are written, and not without them")
  func unicode() throws {
    let hash = try PasswordHash(of: "caf\u{e9} au lait \u{1f600}", cost: .cheap)
    #expect(try hash.matches("cafe\u{301} au lait \u{1f600}"))
    #expect(try !hash.matches("cafe au lait \u{1f600}"))
  }

  @Test(
    "a text that is no hash, or asks for too much work, is refused",
    arguments: [
      "", "password", "$scrypt$", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA",
      "$scrypt$ln=18,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
      "$scrypt$ln=0,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
      "$scrypt$ln=99999999999,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
      "$scrypt$ln=16,r=8,p=1$$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
      "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$",
      "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E\n",
    ])
  func malformed(text: String) { #expect(PasswordHash(text) == nil) }

  @Test("no description of a hash shows a part of it")
  func description() throws {
    let hash = try PasswordHash(of: "correct horse battery staple", cost: .cheap)
    var dumped = ""
    dump(hash, to: &dumped)
    for text in ["\(hash)", String(reflecting: hash), dumped] {
      #expect(!text.contains("scrypt$") && !text.contains("\(hash.salt[0]), "))
    }
  }

  @Test(
    "a password has 15 characters or more, and is not only what everybody knows",
    arguments: [
      ("fourteen chars", false), ("fifteen chars..", true), ("four small words", true),
      (String(repeating: "a", count: 40), false), ("abcabcabcabcabcabc", false),
      ("abcdabcdabcdabcd", false), ("abcdeabcdeabcdeabcde", true),
      ("ada@example.com", false), ("ada@example.com1", false), ("Ada Lovelace Ada Lovelace", false),
      ("ada likes long walks", true), ("пароль из слов", false), ("пароль из слов!", true),
      ("\u{1f600}\u{1f601}\u{1f602}\u{1f603}\u{1f604} and words", true),
      (String(repeating: "abcde", count: 204) + "abcd", true),
      (String(repeating: "abcde", count: 205), false),
    ])
  func rules(password: String, isTaken: Bool) {
    let problem = PasswordRules.problem(password, email: "ada@example.com", name: "Ada Lovelace")
    #expect((problem == nil) == isTaken, "\(password): \(problem ?? "taken")")
  }

  @Test(
    "an email address is ASCII with one @, and is kept in lowercase",
    arguments: [
      ("Ada@Example.COM", "ada@example.com"), ("a@b", "a@b"),
      ("ada+push@example.com", "ada+push@example.com"),
      ("", nil), ("ada", nil), ("@example.com", nil), ("ada@", nil), ("a@b@c", nil),
      ("ada @example.com", nil), ("ada@example.com\n", nil),
      ("ada@example.com,eve@example.com", nil),
      // CVE-2019-19844: a dotless i becomes an ASCII one in uppercase.
      ("m\u{131}ke@example.org", nil), ("ada@ex\u{430}mple.com", nil), ("\"ada\"@example.com", nil),
      (String(repeating: "a", count: 252) + "@b", String(repeating: "a", count: 252) + "@b"),
      (String(repeating: "a", count: 253) + "@b", nil),
    ])
  func addresses(typed: String, address: String?) {
    #expect(EmailAddress(typed)?.text == address)
  }

  @Test("a password is compared for an account that there is not, and is never right")
  func nobody() async throws {
    let work = PasswordWork(cost: .cheap)
    #expect(try await !work.matches("correct horse battery staple", nil, for: .known))
    var account = Account(
      id: "a", email: "ada@example.com", name: "Ada", createdAt: Timestamp(milliseconds: 0))
    #expect(try await !work.matches("", account, for: .known))
    account.password = try await work.hash("correct horse battery staple").text
    #expect(try await work.matches("correct horse battery staple", account, for: .known))
    #expect(!work.isOutdated(account))
    #expect(PasswordWork(cost: .standard).isOutdated(account))
  }

  @Test("the seventeenth password that waits is refused, and one of a known browser is taken then")
  func busy() async throws {
    let work = PasswordWork(cost: .cheap)
    let held = DispatchSemaphore(value: 0)
    let stranger = PasswordWork.Caller(address: "192.0.2.1", isKnown: false)
    let count = PasswordWork.limit + 1  // One is computed, the others wait.
    try await withThrowingTaskGroup { group in
      for _ in 1...count {
        group.addTask { try await work.run(for: stranger) { held.wait() } }
      }
      try await until { work.waitingCount == count }
      await #expect(throws: PasswordWork.Busy.self) {
        _ = try await work.matches("one more", nil, for: stranger)
      }
      let known = Task { try await work.matches("one more", nil, for: .known) }
      try await until { work.waitingCount == count + 1 }
      for _ in 1...count { held.signal() }
      #expect(try await !known.value)
      try await group.waitForAll()
    }
    #expect(work.waitingCount == 0)
    #expect(try await !work.matches("one more", nil, for: stranger))
  }
}
