/// The number of devices of each app, and how many it may have.
struct AppDevices: Sendable {
  /// The share of the limit from which on the log warns.
  static let alarmPercent = 80

  /// The devices that each app has registered, by the apps' ids.
  var counts: [String: Int]
  var limit: Int

  /// The number of devices at which the log warns.
  static func alarm(at limit: Int) -> Int { max(1, (limit * alarmPercent + 99) / 100) }

  func write(to text: inout PrometheusText) {
    text.family(
      "martlet_app_devices", .gauge, help: "The devices that each app has registered.")
    for (app, count) in counts.sorted(by: { $0.key < $1.key }) {
      text.sample("martlet_app_devices", count, labels: ["app": app])
    }
    text.family(
      "martlet_app_devices_limit", .gauge, help: "The devices that device keys may register.")
    text.sample("martlet_app_devices_limit", limit)
  }
}
