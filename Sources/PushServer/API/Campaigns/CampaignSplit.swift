import PushStore

/// A person's place among 10,000, by which campaigns choose variants.
///
/// The place is a hash of a salt and the person's user id, or the device's id where it has no user,
/// so that all devices of a person get the same, and get it again as long as the shares stay.
struct CampaignBucket {
  static let count = 10_000

  /// 64-bit FNV-1a of the salt and the id, mixed by the end of MurmurHash3, whose low bits then
  /// depend on every byte.
  static func bucket(of id: String, salt: String) -> Int {
    var hash = hash(id.utf8, from: Self.hash(salt.utf8 + [0x2f]))
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return Int((hash ^ (hash >> 33)) % UInt64(count))
  }

  /// 64-bit FNV-1a.
  static func hash(
    _ bytes: some Sequence<UInt8>, from basis: UInt64 = 0xcbf2_9ce4_8422_2325
  ) -> UInt64 {
    bytes.reduce(basis) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

/// Which part of a campaign each bucket gets.
struct CampaignSplit: Sendable {
  /// What a device gets.
  enum Arm: Hashable, Sendable {
    case control
    case variant(String)
    /// The winner of the test.
    case rest
  }

  /// The arms with the bucket after their last one, in order.
  private(set) var arms: [(arm: Arm, end: Int)] = []

  /// `sample` is the share of a test in hundredths; `nil` sends the variants to all.
  init(_ variants: [CampaignPlan.Variant], control: Int, sample: Int?) {
    let unit = CampaignBucket.count / 100
    var end = 0
    func add(_ arm: Arm, _ width: Int) {
      guard width > 0 else { return }
      end += width
      arms.append((arm, end))
    }
    add(.control, control * unit)
    // A share of the sample: share/100 of sample/100 of all buckets.
    for variant in variants {
      add(
        .variant(variant.key),
        sample.map { variant.share * $0 * unit / 100 } ?? variant.share * unit)
    }
    add(.rest, CampaignBucket.count - end)
  }

  func arm(of bucket: Int) -> Arm? { arms.first { bucket < $0.end }?.arm }
}

extension CampaignSplit {
  /// How many devices' users are read at once.
  private static let pageSize = 10_000

  /// Divides devices among the arms; those of people in the holdout are left out first.
  func divide(
    _ devices: DeviceNumbers, app: String, salt: String, holdout: Holdout?, _ store: any PushStore
  ) async throws -> (arms: [Arm: DeviceNumbers], heldOut: DeviceNumbers) {
    var arms: [Arm: [UInt32]] = [:]
    var heldOut: [UInt32] = []
    var rank = 0
    while rank < devices.count {
      let page = devices.slice(from: rank, limit: Self.pageSize)
      rank += page.count
      let people = try await store.people(app: app, numbers: page)
      for number in page {
        guard let person = people[number] else { continue }
        if let holdout, holdout.leavesOut(person) {
          heldOut.append(number)
        } else if let arm = arm(of: CampaignBucket.bucket(of: person, salt: salt)) {
          arms[arm, default: []].append(number)
        }
      }
    }
    return (arms.mapValues { DeviceNumbers($0) }, DeviceNumbers(heldOut))
  }
}

extension Holdout {
  /// Whether campaigns leave a person out.
  func leavesOut(_ person: String) -> Bool {
    CampaignBucket.bucket(of: person, salt: salt) < percent * CampaignBucket.count / 100
  }
}
