import PushModel

/// The devices of each arm of a campaign, before it starts.
///
/// The division reads the person of every device. For a large audience it would take longer than a preview may, so
/// that the parts are computed from the shares.
struct CampaignDivision: Sendable {
  /// The largest audience whose devices are divided one by one.
  static let exactLimit = 20_000

  /// Whether each device was divided, rather than only the shares multiplied.
  private(set) var isExact: Bool
  /// The number of devices of each arm.
  private(set) var counts: [CampaignSplit.Arm: Int]
  private(set) var heldOut: Int
  private let devices: DeviceNumbers
  private var parts: [CampaignSplit.Arm: DeviceNumbers] = [:]

  /// Divides devices as ``CampaignSplit/divide(_:app:salt:holdout:_:)`` does, or by the shares.
  init(
    of devices: DeviceNumbers, by split: CampaignSplit, app: String, salt: String,
    holdout: Holdout?, _ store: any PushStore
  ) async throws {
    self.devices = devices
    isExact = devices.count <= Self.exactLimit
    if isExact {
      let divided = try await split.divide(
        devices, app: app, salt: salt, holdout: holdout, store)
      (parts, counts) = (divided.arms, divided.arms.mapValues(\.count))
      heldOut = divided.heldOut.count
    } else {
      let (heldOut, count) = (devices.count * (holdout?.percent ?? 0) / 100, devices.count)
      self.heldOut = heldOut
      counts = split.widths.mapValues { (count - heldOut) * $0 / CampaignBuckets.count }
    }
  }

  /// The devices of an arm; all devices if they were not divided one by one.
  func devices(of arm: CampaignSplit.Arm) -> DeviceNumbers {
    isExact ? parts[arm] ?? DeviceNumbers() : devices
  }
}
