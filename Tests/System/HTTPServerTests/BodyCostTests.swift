import Synchronization
import TestSupport
import Testing

@testable import _HTTPServer

@Suite("HTTP server: the memory of what is made of bodies", .timeLimit(.minutes(10)))
struct BodyCostTests {
  @Test(
    "a body costs its bytes, and JSON its values too",
    arguments: [
      (BodyCost.bytes, "[1,{}]", 6), (.text, "a=b&c=d", 28), (.json, "", 0), (.json, "12", 8),
      (.json, "[1,{}]", 24 + 3 * 128), (.json, #"{"a":[],"b":0}"#, 56 + 3 * 128),
    ] as [(BodyCost, String, Int)])
  func cost(cost: BodyCost, body: String, expected: Int) {
    #expect(cost.cost(of: Array(body.utf8)[...]) == expected)
  }

  private func post(_ body: String, to server: HTTPServer) async -> String {
    let client = RawClient(port: server.port)
    await client.send(
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return await client.readAnswer()
  }

  @Test("a body of more values than there is memory for is refused before its handler is called")
  func tooManyValues() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.bodyMemory = 160_000
    configuration.bodyCost = { _ in .json }
    let called = Mutex(0)
    let server = try HTTPServer(configuration) { _ in
      called.withLock { $0 += 1 }
      return HTTPResponse(status: 200)
    }
    // 130,000 bytes are for one body: 984 times 132, and 28 times 4.
    let most = String(repeating: "[", count: 984)
    let atLimit = await post(most + String(repeating: " ", count: 28), to: server)
    #expect(atLimit.hasPrefix("HTTP/1.1 200 "))
    let past = await post(most + String(repeating: " ", count: 29), to: server)
    #expect(past.hasPrefix("HTTP/1.1 413 ") && past.contains("send fewer at a time"))
    #expect(called.withLock(\.self) == 1)
    await server.stop()
  }

  @Test("handlers of bodies with many values wait for each other's memory")
  func inLine() async throws {
    let running = Mutex((now: 0, most: 0))
    var configuration = HTTPServer.Configuration.patient
    configuration.bodyMemory = 160_000
    configuration.bodyCost = { _ in .json }
    let server = try HTTPServer(configuration) { _ in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      for _ in 0..<100 { await Task.yield() }
      running.withLock { $0.now -= 1 }
      return HTTPResponse(status: 200)
    }
    let body = String(repeating: "[", count: 600)
    await withTaskGroup { group in
      for _ in 0..<6 {
        group.addTask { #expect(await self.post(body, to: server).hasPrefix("HTTP/1.1 200 ")) }
      }
    }
    #expect(running.withLock(\.most) == 1)
    await server.stop()
  }

  @Test("a small body does not wait behind large ones, whose share leaves room for it")
  func small() async {
    let budget = BodyBudget(memory: 16 << 10, disk: 0)
    #expect(await budget.acquire(budget.largest))
    let large = Task { await budget.acquire(17) }
    #expect(await budget.acquire(16))
    budget.releaseHandled(budget.largest)
    #expect(await large.value)
    budget.releaseHandled(17)
    budget.releaseHandled(16)
    #expect(budget.used == 0)
  }

  @Test("what one body may cost at most is taken, and one byte more never")
  func largest() async {
    let budget = BodyBudget(memory: 1600, disk: 0)
    #expect(budget.largest == 1300)
    #expect(await budget.acquire(1300))
    budget.releaseHandled(1300)
    #expect(await !budget.acquire(1301))
    #expect(budget.used == 0)
  }
}
