import PushPayload
import TestSupport

@testable import PushModel

/// Random changes of a few devices, which often concern the same device, token or user.
struct RandomChanges {
  /// The number of devices from which on an app's own callers make no new one.
  static let deviceLimit = 6

  private var random: SeededGenerator
  /// The app that audit entries name.
  let app: String
  private var time = Sample.now

  init(seed: UInt64, app: String) {
    random = SeededGenerator(seed: seed)
    self.app = app
  }

  /// The next groups, each with at least one change.
  mutating func groups(_ count: Int) -> [[DeviceChange]] {
    (0..<count).map { _ in
      (0..<Int.random(in: 1...12, using: &random)).map { _ in change() }
    }
  }

  private mutating func change() -> DeviceChange {
    // Some changes are of another hour.
    time = time + .seconds(Int.random(in: 0...900, using: &random))
    var change = DeviceChange(edit(), at: time)
    if isOne(of: 4) {
      change.record = ChangeRecord(
        AuditEntry(
          app: app, key: nil, action: "change", object: change.device, address: nil, at: time))
    }
    return change
  }

  private mutating func edit() -> DeviceChange.Edit {
    let user = "u\(Int.random(in: 0...2, using: &random))"
    if isOne(of: 6) { return .user(user, attributes: attributes()) }
    let id = "d\(Int.random(in: 0...8, using: &random))"
    if isOne(of: 6) { return .merge(device: id, patch(of: user)) }
    return .update(device: id, patch(of: user), by: caller())
  }

  private mutating func caller() -> DeviceCaller {
    if isOne(of: 2) { return .server }
    let secrets = [nil, 1, 2] as [UInt8?]
    let secret = secrets.randomElement(using: &random) ?? nil
    return .app(
      secretHash: secret.map { [UInt8](repeating: $0, count: 32) },
      deviceLimit: isOne(of: 2) ? .max : Self.deviceLimit)
  }

  private mutating func patch(of user: String) -> DevicePatch {
    var patch = DevicePatch()
    if isOne(of: 2) {
      patch.token = .set(isOne(of: 5) ? nil : "a\(Int.random(in: 0...5, using: &random))")
    }
    if isOne(of: 3) { patch.userID = .set(isOne(of: 4) ? nil : user) }
    if isOne(of: 3) { patch.tags = .set([#"a"b\c,{}"#, "NULL", ""]) }
    if isOne(of: 4) { patch.publicKey = .set("key\(Int.random(in: 0...2, using: &random))") }
    if isOne(of: 4) { patch.badge = .set(isOne(of: 2) ? nil : 7) }
    if isOne(of: 4) {
      var location = Location()
      location.latitude = -41.25
      location.city = #"Ōtautahi, "C\B" {NULL}"#
      patch.location = .set(location)
    }
    patch.attributes = attributes()
    return patch
  }

  private mutating func attributes() -> [String: Attribute?] {
    guard isOne(of: 3) else { return [:] }
    let number = Int64.random(in: 0...9, using: &random)
    return ["n\(number)": isOne(of: 3) ? nil : Attribute(kind: .integer, value: .integer(number))]
  }

  private mutating func isOne(of count: Int) -> Bool {
    Int.random(in: 1...count, using: &random) == 1
  }
}
