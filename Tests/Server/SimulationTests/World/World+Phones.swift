import PushModel
import PushPayload
import TestSupport

@testable import PushServer

extension World {
  /// Lets a phone change, and tell the server.
  func change(phone number: Int, _ change: SimulationEvent.PhoneChange) async {
    guard let state = changed(phone: number, by: change) else { return }
    records.change(phone: number) { $0.begin(state, at: scheduler.now) }
    let device: JSONValue = [
      "device": [
        "push_token": .string(state.token), "platform": "iOS", "development": false,
        "push_enabled": .bool(state.isEnabled), "tags": [.string("g\(state.group)")],
        "time_zone": .string(SimulationPlan.zones[state.zone].name),
        "user_id": .optional(plan.options.user(of: number)),
      ]
    ]
    let answer = await insist("PUT", "/v6/devices/d\(number)", device)
    note("d\(number) \(change) \(state.token.suffix(6)): \(answer.status)")
    guard answer.status == 200 else {
      findings.add(.answered, "the update of d\(number) is refused: \(answer.json)")
      return
    }
    records.change(phone: number) { $0.answer(at: scheduler.now) }
  }

  /// The state of a phone after a change; `nil` if the phone tells the server nothing.
  private func changed(
    phone number: Int, by change: SimulationEvent.PhoneChange
  ) -> PhoneRecord.State? {
    let phone = records.phone(number)
    if case .install(let group, let zone, let isDevelopment) = change {
      records.change(phone: number) { $0.isRemoved = false }
      return PhoneRecord.State(
        token: newToken(phone: number, isDevelopment: isDevelopment), isDevelopment: isDevelopment,
        group: group, zone: zone, isEnabled: true)
    }
    guard var state = phone.current, !phone.isRemoved else { return nil }
    switch change {
    case .install: break
    case .newToken:
      state.token = newToken(phone: number, isDevelopment: state.isDevelopment)
    case .move(let group): state.group = group
    case .optOut: state.isEnabled = false
    case .optIn: state.isEnabled = true
    case .uninstall:
      records.change(phone: number) { $0.isRemoved = true }
      apns.expire(state.token, at: scheduler.now)
      note("d\(number) removes the app")
      return nil
    }
    return state
  }

  /// Gives a phone a token, and ends the one that it had.
  private func newToken(phone number: Int, isDevelopment: Bool) -> String {
    let old = records.phone(number).current?.token
    let count = records.change(phone: number) { phone in
      phone.tokens += 1
      return phone.tokens
    }
    var random = SeededGenerator(seed: UInt64(number * 1000 + count))
    let token = (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    if let old { apns.expire(old, at: scheduler.now) }
    apns.register(token, device: number, isDevelopment: isDevelopment)
    return token
  }
}
