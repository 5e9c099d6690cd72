import PushModel
import Testing

@Suite("The attempts to enter a code")
struct CodeAttemptsTests {
  @Test("five are taken at once, the sixth waits five minutes, and each five minutes give one back")
  func limit() {
    var now = Timestamp(milliseconds: 1_700_000_000_000)
    var attempts = CodeAttempts(spentUntil: Timestamp(milliseconds: 0))
    for _ in 1...CodeAttempts.limit {
      let wait = attempts.take(at: now)
      #expect(wait == nil)
    }
    let spent = attempts
    let first = attempts.take(at: now)
    #expect(first == .seconds(300) && attempts == spent, "a refused attempt counts for nothing")
    now = now + .milliseconds(299_999)
    let second = attempts.take(at: now)
    #expect(second == .milliseconds(1))
    now = now + .milliseconds(1)
    let third = attempts.take(at: now)
    #expect(third == nil)
    let fourth = attempts.take(at: now)
    #expect(fourth == .seconds(300))
    now = now + .seconds(24 * 3600)
    for _ in 1...CodeAttempts.limit {
      let wait = attempts.take(at: now)
      #expect(wait == nil)
    }
    let last = attempts.take(at: now)
    #expect(last != nil, "a day gives back no more than five")
  }
}
