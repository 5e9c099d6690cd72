import PushModel
import _Bitmaps

/// The division of people into 10,000 buckets, by which campaigns choose variants.
///
/// A bucket is a hash of a salt and the person's user id, or the device's id if it has no user. So all devices of
/// a person get the same variant, and keep it as long as the shares stay.
struct CampaignBuckets {
  static let count = 10_000

  /// The hash of the salt, which the hash of a person continues.
  private let basis: UInt64

  init(salt: String) { basis = Self.hash(salt + "/") }

  /// The bucket of a person: 64-bit FNV-1a of the salt and the id, with the last step of MurmurHash3, so
  /// that the low bits depend on every byte.
  func bucket(of person: String) -> Int {
    var hash = Self.hash(person, from: basis)
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return Int((hash ^ (hash >> 33)) % UInt64(Self.count))
  }

  /// 64-bit FNV-1a.
  static func hash(_ text: String, from basis: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = basis
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      return hash
    }
  }
}

/// The division of the buckets among the arms of a campaign.
struct CampaignSplit: Sendable {
  /// The part of a campaign that a device gets.
  enum Arm: Hashable, Sendable {
    case control
    case variant(String)
    /// The winner of the test.
    case rest
  }

  /// The arms in order, each with the bucket after its last one.
  private(set) var arms: [(arm: Arm, end: Int)] = []

  /// `sample` is the share of a test in hundredths; `nil` sends the variants to all devices.
  init(_ variants: [CampaignPlan.Variant], control: Int, sample: Int?) {
    let unit = CampaignBuckets.count / 100
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
    add(.rest, CampaignBuckets.count - end)
  }

  /// The number of buckets of each arm.
  var widths: [Arm: Int] {
    var (widths, last): ([Arm: Int], Int) = ([:], 0)
    for (arm, end) in arms {
      widths[arm, default: 0] += end - last
      last = end
    }
    return widths
  }

  func arm(of bucket: Int) -> Arm? { place(of: bucket).map { arms[$0].arm } }

  /// The place of a bucket's arm in ``arms``.
  private func place(of bucket: Int) -> Int? { arms.firstIndex { bucket < $0.end } }
}

extension CampaignSplit {
  /// The number of devices whose users are read at once.
  private static let pageSize = 10_000
  /// The number of pages that are read concurrently, so that one is divided while the store reads the other.
  private static let concurrentPages = 2

  private struct Division: Sendable {
    /// The devices of each arm, in the order of the arms.
    var arms: [Bitmap]
    var heldOut = Bitmap()
  }

  /// Divides devices among the arms; those of people in the holdout are left out first.
  func divide(
    _ devices: DeviceNumbers, app: String, salt: String, holdout: Holdout?, _ store: any PushStore
  ) async throws -> (arms: [Arm: DeviceNumbers], heldOut: DeviceNumbers) {
    let buckets = CampaignBuckets(salt: salt)
    let held = holdout.map { (holdout: $0, buckets: CampaignBuckets(salt: $0.salt)) }
    var whole = Division(arms: arms.map { _ in Bitmap() })
    try await withThrowingTaskGroup(of: Division.self) { group in
      var rank = 0
      func readNextPage() {
        let page = devices.slice(from: rank, limit: Self.pageSize)
        guard !page.isEmpty else { return }
        rank += page.count
        group.addTask {
          self.division(of: try await store.people(app: app, numbers: page), buckets, held)
        }
      }
      for _ in 0..<Self.concurrentPages { readNextPage() }
      while let part = try await group.next() {
        for place in whole.arms.indices { whole.arms[place].formUnion(part.arms[place]) }
        whole.heldOut.formUnion(part.heldOut)
        readNextPage()
      }
    }
    let divided = zip(arms, whole.arms).map { ($0.arm, DeviceNumbers($1)) }
    return (
      Dictionary(divided) { $0.union($1) }.filter { !$0.value.isEmpty },
      DeviceNumbers(whole.heldOut)
    )
  }

  private func division(
    of people: [(number: UInt32, person: String)], _ buckets: CampaignBuckets,
    _ held: (holdout: Holdout, buckets: CampaignBuckets)?
  ) -> Division {
    var parts = [[UInt32]](repeating: [], count: arms.count)
    var heldOut: [UInt32] = []
    for (number, person) in people {
      if let held, held.holdout.leavesOut(held.buckets.bucket(of: person)) {
        heldOut.append(number)
      } else if let place = place(of: buckets.bucket(of: person)) {
        parts[place].append(number)
      }
    }
    return Division(arms: parts.map(Bitmap.init), heldOut: Bitmap(heldOut))
  }
}

extension Holdout {
  /// Whether campaigns leave a person out.
  func leavesOut(_ person: String) -> Bool {
    leavesOut(CampaignBuckets(salt: salt).bucket(of: person))
  }

  fileprivate func leavesOut(_ bucket: Int) -> Bool {
    bucket < percent * CampaignBuckets.count / 100
  }
}
