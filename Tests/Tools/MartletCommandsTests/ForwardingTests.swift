import APNsSandbox
import Foundation
import Synchronization
import Testing

@testable import MartletCommands

@Suite("Forwarding to simulated phones", .timeLimit(.minutes(10)))
struct ForwardingTests {
  /// Makes a delivery to each token, by a real sandbox: a delivery has no public initializer.
  private func deliveries(_ tokens: [String]) async throws -> [SandboxDelivery] {
    let place = try Place()
    let authority = try SandboxAuthority(directory: URL(fileURLWithPath: place.path("ca")))
    let leaf = try authority.issue(for: "127.0.0.1")
    let got = Mutex<[SandboxDelivery]>([])
    var configuration = VirtualAPNs.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.onDelivery = { delivery in got.withLock { $0.append(delivery) } }
    let sandbox = try VirtualAPNs(configuration: configuration)
    let port = try await sandbox.start()
    let words = tokens.flatMap { ["--token", $0] }
    let result = await place.run(
      [
        "send", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", place.path("key.p8"), "--apns", "https://127.0.0.1:\(port)",
        "--apns-ca", authority.certificateFile.path,
      ] + words + [place.path("payload.json")])
    #expect(result.code == .success)
    await sandbox.stop()
    return got.withLock { $0 }
  }

  @Test("a phone gets its pushes one by one, and at most so many phones are busy at once")
  func queues() async throws {
    let tokens = (10..<11 + PhoneQueues.phonesAtOnce).map(String.init)
    let all = try await deliveries(["AA", "aa"] + tokens)
    var queues = PhoneQueues()
    for delivery in all { _ = queues.add(delivery) }
    #expect(queues.waitingCount == all.count)
    let first = (0..<PhoneQueues.phonesAtOnce).map { _ in queues.next() }
    #expect(first.compactMap(\.self).count == PhoneQueues.phonesAtOnce)
    #expect(first.filter { $0?.token.lowercased() == "aa" }.count == 1)
    let more = queues.next()
    #expect(more == nil)
    let phone = try #require(first[0])
    queues.finished(phone)
    // The phone that waits longest comes before the second push of the first phone.
    let waiting = queues.next()
    let next = try #require(waiting)
    #expect(!first.contains { $0?.token == next.token })
    var left = first.dropFirst().compactMap(\.self) + [next]
    while !left.isEmpty {
      queues.finished(left.removeFirst())
      if let more = queues.next() { left.append(more) }
    }
    #expect(queues.isEmpty)
    #expect(queues.waitingCount == 0)
  }

  @Test("up to the limit pushes wait, and one more is dropped")
  func limit() async throws {
    let delivery = try #require(try await deliveries(["aa"]).first)
    var queues = PhoneQueues()
    let taken = (0...PhoneQueues.limit).map { _ in queues.add(delivery) }
    #expect(taken == Array(repeating: true, count: PhoneQueues.limit) + [false])
    _ = queues.next()
    let isTaken = queues.add(delivery)
    #expect(isTaken)
  }

  /// Phones that wait for each other: none finishes before all have begun.
  private final class Rendezvous: SandboxForwarding {
    let expected: Int
    private let state = Mutex<(begun: Int, order: [String])>((0, []))
    init(_ expected: Int) { self.expected = expected }
    var order: [String] { state.withLock { $0.order } }

    func forward(_ delivery: SandboxDelivery) async throws -> ForwardedPush {
      state.withLock {
        $0.begun += 1
        $0.order.append(delivery.apnsID)
      }
      while state.withLock({ $0.begun < expected }) { await Task.yield() }
      if delivery.token == "ff" { throw CommandFailure("the phone is broken") }
      return ForwardedPush(card: nil, text: delivery.token)
    }
  }

  @Test("phones work at the same time, each in its pushes' order, and report their errors")
  func parallel() async throws {
    let all = try await deliveries(["01", "02", "03", "ff", "01"])
    let rendezvous = Rendezvous(4)
    let shown = Mutex<[String]>([])
    let faults = Mutex<[String]>([])
    let (stream, input) = AsyncStream<SandboxDelivery>.makeStream()
    for delivery in all { input.yield(delivery) }
    input.finish()
    await rendezvous.run(stream) { delivery, push in
      shown.withLock { $0.append(delivery.apnsID) }
      #expect(push.text == delivery.token)
    } failed: { error in
      faults.withLock { $0.append("\(error)") }
    }
    #expect(Set(shown.withLock { $0 }) == Set(all.filter { $0.token != "ff" }.map(\.apnsID)))
    let ofFirst = all.filter { $0.token == "01" }.map(\.apnsID)
    #expect(rendezvous.order.filter(ofFirst.contains) == ofFirst)
    #expect(faults.withLock { $0 } == ["the phone is broken"])
  }
}
