import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The division of a campaign's devices")
struct CampaignSplitTests {
  private func variants(_ shares: [Int]) -> [CampaignPlan.Variant] {
    shares.enumerated().map { place, share in
      CampaignPlan.Variant(
        key: "v\(place)", share: share,
        content: .push(BodyValue(["alert": "Hi"]), written: ["alert": "Hi"]))
    }
  }

  /// The vectors of 64-bit FNV-1a in the appendix of draft-eastlake-fnv.
  @Test(
    "the hash is FNV-1a",
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
      ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func vectors(text: String, hash: UInt64) {
    #expect(CampaignBuckets.hash(text) == hash)
  }

  @Test(
    "the arms are as wide as their shares, and together all buckets",
    arguments: [
      ([100], 0, nil), ([50, 50], 0, nil), ([45, 45], 10, nil), ([34, 33, 33], 0, nil),
      ([45, 45], 10, 20), ([1, 1], 98, 1), ([50, 50], 0, 99),
    ] as [([Int], Int, Int?)])
  func widths(shares: [Int], control: Int, sample: Int?) {
    let split = CampaignSplit(variants(shares), control: control, sample: sample)
    var counts: [CampaignSplit.Arm: Int] = [:]
    for bucket in 0..<CampaignBuckets.count {
      split.arm(of: bucket).map { counts[$0, default: 0] += 1 }
    }
    #expect(counts.values.reduce(0, +) == CampaignBuckets.count)
    #expect(counts[.control, default: 0] == control * 100)
    for (place, share) in shares.enumerated() {
      #expect(counts[.variant("v\(place)")] == share * (sample ?? 100))
    }
    #expect(split.arm(of: CampaignBuckets.count) == nil)
  }

  @Test("people are spread evenly, and another salt spreads them otherwise")
  func evenness() {
    var halves = [0, 0]
    var both = [0, 0]
    for person in 0..<20_000 {
      let (one, other) = (
        CampaignBuckets(salt: "one").bucket(of: "user-\(person)"),
        CampaignBuckets(salt: "other").bucket(of: "user-\(person)")
      )
      halves[one / 5000] += 1
      both[one / 5000 == other / 5000 ? 0 : 1] += 1
    }
    #expect(Proportion.chiSquare(counts: halves, shares: [1, 1]).pValue > 0.001)
    #expect(Proportion.chiSquare(counts: both, shares: [1, 1]).pValue > 0.001)
  }

  @Test("the devices of a person get the same, and those of the holdout nothing")
  func people() async throws {
    let fixture = try await Fixture()
    for person in 0..<60 {
      for device in 0..<2 {
        try await fixture.register("d\(person)-\(device)") { $0.userID = .set("user\(person)") }
      }
      try await fixture.register("lonely\(person)")
    }
    let all = try await fixture.store.devices(app: fixture.app.id, above: nil, limit: 1000)
    let split = CampaignSplit(variants([40, 40]), control: 20, sample: nil)
    let holdout = Holdout(percent: 15, salt: "held", since: fixture.clock.now)
    let (arms, heldOut) = try await split.divide(
      DeviceNumbers(all.map(\.number)), app: fixture.app.id, salt: "s", holdout: holdout,
      fixture.store)
    func group(of number: UInt32) -> String {
      if heldOut.contains(number) { return "held out" }
      return arms.first { $0.value.contains(number) }.map { "\($0.key)" } ?? "nobody"
    }
    var groups: [String: Set<String>] = [:]
    for device in all {
      groups[device.userID ?? device.id, default: []].insert(group(of: device.number))
    }
    #expect(groups.values.allSatisfy { $0.count == 1 })
    #expect(Set(groups.values.flatMap(\.self)).count == 4)
    #expect(heldOut.count + arms.values.reduce(0) { $0 + $1.count } == all.count)
  }

  @Test(
    "an audience is divided device by device up to the limit, and by the shares above it",
    arguments: [(CampaignDivision.exactLimit, true), (CampaignDivision.exactLimit + 1, false)])
  func division(count: Int, isExact: Bool) async throws {
    let fixture = try await Fixture()
    for number in 0..<30 { try await fixture.register("d\(number)") }
    let devices = DeviceNumbers(1...UInt32(count))
    let division = try await CampaignDivision(
      of: devices, by: CampaignSplit(variants([45, 45]), control: 10, sample: 20),
      app: fixture.app.id, salt: "s",
      holdout: Holdout(percent: 10, salt: "held", since: fixture.clock.now), fixture.store)
    #expect(division.isExact == isExact)
    let variant = CampaignSplit.Arm.variant("v0")
    let known = division.counts.values.reduce(division.heldOut, +)
    if isExact {
      // Of the numbers, 30 are devices.
      #expect(known == 30)
      #expect(division.devices(of: variant).count == division.counts[variant] ?? 0)
    } else {
      #expect(division.heldOut == count / 10)
      #expect(division.counts[variant] == (count - count / 10) * 9 / 100)
      #expect(division.counts[.control] == (count - count / 10) / 10)
      #expect(count - 5...count ~= known)
      #expect(division.devices(of: variant).count == count)
    }
  }
}
