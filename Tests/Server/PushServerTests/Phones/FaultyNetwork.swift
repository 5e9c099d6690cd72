import Foundation
import MartletKit
import Synchronization
import TestSupport

/// The network of one phone, which fails as its seed says until it is healed.
final class FaultyNetwork: PushTransport {
  private struct State {
    var generator: SeededGenerator
    var isHealed = false
    var isOffline = false
    var counts: [String: Int] = [:]
  }

  private let transport: any PushTransport
  private let state: Mutex<State>

  init(_ transport: any PushTransport, seed: UInt64) {
    self.transport = transport
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
  }

  /// How often what happened, by its name.
  var counts: [String: Int] { state.withLock(\.counts) }

  func setOffline(_ isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

  func heal() { state.withLock { ($0.isHealed, $0.isOffline) = (true, false) } }

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    let fault = state.withLock { state -> Int in
      if state.isHealed { return .max }
      return state.isOffline ? 0 : Int.random(in: 0..<100, using: &state.generator)
    }
    switch fault {
    case 0..<3:
      count("unreachable")
      throw PushTransportError("the network is unreachable", isUnsent: true)
    case 3..<6:
      count("lost on the way")
      throw PushTransportError("the connection was lost")
    // A proxy before the server.
    case 6..<8:
      count("503")
      return PushResponse(status: 503)
    case 8..<10:
      count("429")
      return PushResponse(status: 429, retryAfter: "7")
    default: break
    }
    let response: PushResponse
    do {
      response = try await transport.send(request)
    } catch {
      count("server away")
      throw error
    }
    if (10..<16).contains(fault) {
      count("answer lost")
      throw PushTransportError("the connection was lost")
    }
    count("\(response.status)")
    return response
  }

  private func count(_ what: String) { state.withLock { $0.counts[what, default: 0] += 1 } }
}
