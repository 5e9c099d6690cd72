/// The number of devices of each app, and the limit.
struct AppDevices: Sendable {
  /// The percentage of the limit at which the log warns.
  static let alarmPercent = 80

  /// The number of registered devices by the app's id.
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
