import Foundation
import TestSupport

/// The nodes that share a store and of which some are killed.
struct KillSetting: Sendable, CustomStringConvertible {
  enum Database: String, Sendable {
    case sqlite = "SQLite"
    case postgreSQL = "PostgreSQL"
    case citus = "Citus"
  }

  let database: Database
  let nodes: Int

  var description: String { "\(database.rawValue), \(nodes) node\(nodes == 1 ? "" : "s")" }

  /// The settings whose databases are installed; one node on PostgreSQL and Citus only in `make verify`.
  static let all: [KillSetting] = {
    let sample = [
      KillSetting(database: .sqlite, nodes: 1), KillSetting(database: .postgreSQL, nodes: 3),
    ]
    guard Tier.isWhole else { return sample }
    return sample + [KillSetting(database: .postgreSQL, nodes: 1)]
      + (CitusCluster.isInstalled ? [KillSetting(database: .citus, nodes: 2)] : [])
  }()
}

/// The number of devices, and for each kill the node and the number of pushes before it.
struct KillPlan: Sendable, CustomStringConvertible {
  struct Kill: Sendable {
    var moment: Int
    var node: Int
  }

  let devices: Int
  let kills: [Kill]
  let seed: UInt64
  init(nodes: Int, kills count: Int? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["MARTLET_SEED"].flatMap(UInt64.init) ?? .random(in: 0...(.max))
    let devices = Tier.sample(8000, of: 100_000)
    var random = SplitMix64(state: seed)
    let moments = (0..<(count ?? Tier.sample(2, of: 20)))
      .map { _ in Int.random(in: 1..<devices, using: &random) }.sorted()
    kills = moments.map { Kill(moment: $0, node: Int.random(in: 0..<nodes, using: &random)) }
    self.seed = seed
    self.devices = devices
  }

  var description: String {
    "\(kills.count) kills on \(devices) devices with MARTLET_SEED=\(seed)"
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
