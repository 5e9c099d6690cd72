import PushPayload
import Testing

@testable import PushModel

@Suite("The pushes that frequency caps count")
struct PushLedgerTests {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)
  private static func at(_ seconds: Int) -> Timestamp { Self.start + .seconds(seconds) }
  private static let daily = FrequencyCap(most: 2, within: .seconds(86_400))

  @Test("a rule looks back by its time, to the second")
  func window() {
    var ledger = PushLedger()
    ledger.add(1, to: 7, at: Self.at(0))
    #expect(ledger.cap(among: [Self.daily], of: 7, send: 9, at: Self.at(1)) == nil)
    ledger.add(2, to: 7, at: Self.at(10))
    #expect(ledger.cap(among: [Self.daily], of: 7, send: 9, at: Self.at(10)) == Self.daily)
    #expect(ledger.cap(among: [Self.daily], of: 7, send: 9, at: Self.at(86_399)) == Self.daily)
    #expect(ledger.cap(among: [Self.daily], of: 7, send: 9, at: Self.at(86_400)) == nil)
    #expect(ledger.cap(among: [Self.daily], of: 8, send: 9, at: Self.at(10)) == nil)
  }

  @Test("each rule holds, and the first that does is told")
  func rules() {
    var ledger = PushLedger()
    for send in 0..<3 { ledger.add(Int64(send), to: 7, at: Self.at(send * 86_400)) }
    let weekly = FrequencyCap(most: 3, within: .seconds(7 * 86_400))
    let now = Self.at(3 * 86_400 + 1)
    #expect(ledger.cap(among: [Self.daily, weekly], of: 7, send: 9, at: now) == weekly)
  }

  @Test("a push of the send itself is no other one, and is counted once")
  func own() {
    var ledger = PushLedger()
    let one = FrequencyCap(most: 1, within: .seconds(60))
    ledger.add(1, to: 7, at: Self.at(0))
    ledger.add(1, to: 7, at: Self.at(5))
    #expect(ledger.pushes(to: 7).count == 1)
    #expect(ledger.cap(among: [one], of: 7, send: 1, at: Self.at(5)) == nil)
    #expect(ledger.cap(among: [one], of: 7, send: 2, at: Self.at(5)) == one)
    #expect(ledger.remove(1, from: 7) && !ledger.remove(1, from: 7))
    #expect(ledger.isEmpty)
  }

  @Test("pushes are kept for 30 days, and at most 50 of a device")
  func bounds() {
    var ledger = PushLedger()
    for send in 0..<60 { ledger.add(Int64(send), to: 7, at: Self.at(send)) }
    #expect(ledger.pushes(to: 7).map(\.send) == Array(10..<60))
    let day = 86_400
    ledger.removeOld(at: Self.at(30 * day + 20))
    #expect(ledger.pushes(to: 7).map(\.send) == Array(21..<60))
    ledger.removeOld(at: Self.at(31 * day))
    #expect(ledger.isEmpty)
  }

  @Test("a ledger is packed into few bytes, and is read as it was")
  func packing() throws {
    var ledger = PushLedger()
    for device in 0..<PushLedger.pageSize {
      for send in 1...3 { ledger.add(Int64(send), to: 5 * 1024 + device, at: Self.at(send * 9999)) }
    }
    #expect(ledger.packed.count < 6 * Int(PushLedger.pageSize))
    #expect(PushLedger(packed: ledger.packed) == ledger)
    #expect(PushLedger(packed: PushLedger().packed) == PushLedger())
  }

  @Test("damaged bytes are no ledger, and none stops the program")
  func hostile() {
    var ledger = PushLedger()
    for send in 1...3 { ledger.add(Int64(send), to: 4, at: Self.at(send)) }
    let packed = ledger.packed
    for length in 0..<packed.count {
      #expect(PushLedger(packed: Array(packed.prefix(length))) == nil)
    }
    for place in packed.indices {
      for byte in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
        var damaged = packed
        damaged[place] = byte
        _ = PushLedger(packed: damaged)
      }
    }
    #expect(PushLedger(packed: packed + [0]) == nil)
  }

  @Test(
    "a rule is stored in the largest unit, and is read as it was",
    arguments: [
      (1, 60, "1/PT1M"), (3, 7 * 86_400, "3/P7D"), (50, 2 * 3600, "50/PT2H"), (9, 61, "9/PT61S"),
      (2, 30 * 86_400, "2/P30D"),
    ])
  func rule(most: Int, seconds: Int, text: String) {
    let cap = FrequencyCap(most: most, within: .seconds(seconds))
    #expect(cap.text == text && FrequencyCap(text: text) == cap)
    let limit = SendLimit.capped(cap)
    #expect(limit.reason == "Capped \(text)" && SendLimit(reason: limit.reason) == limit)
  }

  @Test(
    "other texts are no rule", arguments: ["", "3", "3/", "3/P", "x/P7D", "3/PT7D", "3/P99999D"])
  func noRule(text: String) { #expect(FrequencyCap(text: text) == nil) }
}
