import Foundation
import PushPayload
import Synchronization
import TestSupport

@testable import MartletKit

/// An app with MartletKit on a phone of its own, in the hands of a person who does what a seed says.
final class SimulatedApp {
  /// What the person and the app want the server to know.
  struct Wishes: Equatable {
    var token: String?
    var user: String?
    var tags: Set<String> = []
    var visits: Int?
  }

  let number: Int
  let network: FaultyNetwork
  private(set) var wishes = Wishes()
  private(set) var events: Set<String> = []
  /// Whether the push was shown here, and whether it was tapped.
  private(set) var push = (isShown: false, isOpened: false)
  private(set) var restarts = 0

  private let settings: PushSettings
  private let now: @Sendable () -> Int64
  private let proof: @Sendable (String) throws -> String
  private var generator: SeededGenerator
  private var device: PushDevice
  /// The second at which the app is started for the first time, and that until which the phone has no network.
  private let begins: Int
  private var isOfflineUntil: Int?
  private var counter = 0
  private var shownAt: Int?
  private var payload: JSONValue?

  init(
    _ number: Int, settings: PushSettings, transport: any PushTransport,
    now: @escaping @Sendable () -> Int64, proof: @escaping @Sendable (String) throws -> String
  ) {
    self.number = number
    self.settings = settings
    self.now = now
    self.proof = proof
    generator = SeededGenerator(seed: UInt64(number))
    network = FaultyNetwork(transport, seed: UInt64(number) &* 7919)
    begins = number % 60
    device = Self.launch(settings, network, now)
  }

  private static func launch(
    _ settings: PushSettings, _ network: FaultyNetwork, _ now: @escaping @Sendable () -> Int64
  ) -> PushDevice {
    var environment = PushEnvironment.system(settings, transport: network)
    environment.now = now
    // Requests are sent where `second` waits for them.
    environment.sleep = nil
    return PushDevice(settings, environment: environment)
  }

  var credentials: DeviceCredentials? { DeviceCredentials(folder: settings.folder) }
  var status: PushStatus { device.status }

  /// What happens on the phone in one second.
  func second(_ second: Int) async throws {
    guard second >= begins else { return }
    if second == begins {
      await device.start()
      setToken()
    }
    if second == isOfflineUntil {
      isOfflineUntil = nil
      network.setOffline(false)
      await device.activate()
    }
    // About six times in ten minutes.
    if Int.random(in: 0..<100, using: &generator) == 0 { try await act(second) }
    if let shownAt, second == shownAt, let payload {
      await show(payload)
      self.shownAt = nil
    }
    switch device.status.state.kind {
    case .pending: await device.synchronize()
    case .retrying where isDue: await device.synchronize()
    default: break
    }
  }

  private var isDue: Bool {
    guard let date = device.status.state.retryDate else { return true }
    return Milliseconds(date).count <= now()
  }

  private func act(_ second: Int) async throws {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...2: await tag()
    case 3:
      let visits = (wishes.visits ?? 0) + 1
      wishes.visits = visits
      await device.update { $0["visits"] = .integer(visits) }
    case 4...6:
      counter += 1
      events.insert("e\(counter)")
      try await device.record("e\(counter)")
    case 7:
      let user = "user\(Int.random(in: 0..<3, using: &generator))-\(number / 2)"
      wishes.user = user
      try await device.signIn(user, proof: proof(user))
    case 8:
      wishes.user = nil
      await device.signOut()
    case 9: setToken()
    case 10:
      network.setOffline(true)
      isOfflineUntil = second + Int.random(in: 5..<60, using: &generator)
    default: await restart()
    }
  }

  private func tag() async {
    let tag = "t\(Int.random(in: 0..<5, using: &generator))"
    let isAdded = wishes.tags.insert(tag).inserted
    if !isAdded { wishes.tags.remove(tag) }
    await device.update { profile in
      if isAdded { profile.tags.insert(tag) } else { profile.tags.remove(tag) }
    }
  }

  private func setToken() {
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    wishes.token = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    device.setToken(Data(bytes))
  }

  /// The system ends the app and starts it again.
  private func restart() async {
    restarts += 1
    device = Self.launch(settings, network, now)
    await device.start()
  }

  /// A push arrives: the app shows it some seconds later, and the person may tap it.
  func receive(_ payload: JSONValue, at second: Int) {
    self.payload = payload
    shownAt = second + Int.random(in: 1..<90, using: &generator)
  }

  private func show(_ payload: JSONValue) async {
    push.isShown = device.recordPresentation(payload: payload)
    guard number.isMultiple(of: 3) else { return }
    // A tap starts the app where the system has ended it.
    if Bool.random(using: &generator) { await restart() }
    push.isOpened = device.recordOpening(payload: payload, request: "push") != nil
  }

  /// The network works again: the app is started once more, and sends what waits.
  func heal() async {
    network.heal()
    await restart()
    await device.synchronize()
  }
}
