import APNsTestSupport
import Foundation
import TestSupport
import Testing
import _HTTP2

@testable import APNs

/// Mutations of a server's bytes; the fuzz target `Fuzz/Frames.swift` finds the rarer faults.
@Suite("Mutated server bytes", .timeLimit(.minutes(30)))
struct ConversationMutationTests {
  static let rounds = Tier.mutations(1000, of: 5000)

  /// A valid server's bytes for three pushes: settings, two responses with bodies, PING, one without, GOAWAY.
  static let conversation: [UInt8] =
    Frame.settings([(3, 100), (4, 65_535)]) + Frame.settingsAnswer
    + Frame.headers(1, Block.status("200") + Block.field("apns-id", "abc"))
    + Frame.headers(3, Block.status("410"), flags: Frame.endHeaders)
    + Frame.data(3, Array(#"{"reason":"Unregistered","timestamp":7}"#.utf8), last: true)
    + Frame.ping() + Frame.windowUpdate(0, 100)
    + Frame.headers(5, Block.status("400"), flags: Frame.endHeaders)
    + Frame.data(5, Array(#"{"reason":"BadTopic"}"#.utf8), last: true)
    + Frame.goAway(5, reason: #"{"reason":"Shutdown"}"#)

  @Test("the client never traps, and each push has exactly one outcome")
  func mutations() throws {
    var random = SeededGenerator(seed: 17)
    for round in 0..<Self.rounds {
      let bytes = Self.changed(&random)
      let outcomes = try Self.listen(to: bytes, in: Int.random(in: 1...bytes.count, using: &random))
      if outcomes.values.contains(where: { $0 != 1 }) || outcomes.count != 3 {
        Issue.record("round \(round): \(outcomes)")
      }
    }
    #expect(try Self.listen(to: Self.conversation, in: 7) == [0: 1, 1: 1, 2: 1])
  }

  /// Changes, truncates or repeats some of the bytes.
  private static func changed(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = conversation
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes = Array(bytes.prefix(max(1, index)))
      case 1:
        let part = bytes[index..<min(bytes.count, index + 40)]
        bytes.insert(contentsOf: part, at: Int.random(in: bytes.indices, using: &random))
      case 2: bytes[index] ^= 1 << Int.random(in: 0..<8, using: &random)
      default: bytes[index] = .random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  /// The number of outcomes of each of three pushes when the bytes arrive in pieces.
  private static func listen(to bytes: [UInt8], in part: Int) throws -> [Int: Int] {
    let session = try HTTP2Session(.client)
    var state = ConnectionState()
    var headers = HeaderBlock()
    var pushHeaders = PushHeaders(authority: "localhost")
    for index in 0..<3 {
      pushHeaders.write(0, of: [sample], authorization: "bearer x", to: &headers)
      state.opened(
        try session.submitRequest(headers, body: sample.payload),
        for: PushReference(batch: 0, index: index))
    }
    var outcomes: [Int: Int] = [:]
    func count(_ effect: ConnectionState.Effect) {
      switch effect {
      case .finished(let push, let result):
        _ = result.outcome(ofID: sample.id)
        outcomes[push.index, default: 0] += 1
      case .refused(let push): outcomes[push.index, default: 0] += 1
      case .ended: break
      }
    }
    var output: [UInt8] = []
    var start = 0
    do throws(HTTP2Error) {
      var events = try session.send(into: &output, upTo: .max)
      while start < bytes.count {
        let end = min(bytes.count, start + part)
        events += try session.receive(Array(bytes[start..<end]), count: end - start)
        events += try session.send(into: &output, upTo: .max)
        start = end
        let limit = session.remoteStreamLimit
        state.on(events, streamLimit: limit).forEach(count)
        events = []
      }
    } catch {}
    state.lost("the end").forEach(count)
    return outcomes
  }

  private static let sample = push()
}
