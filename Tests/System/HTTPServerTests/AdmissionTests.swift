import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import _HTTPServer

@Suite("HTTP server: bodies are taken after the headers are judged", .timeLimit(.minutes(10)))
struct AdmissionTests {
  /// A server that takes bodies with a key alone.
  private func server(
    _ change: (inout HTTPServer.Configuration) -> Void = { _ in }
  ) throws -> HTTPServer {
    var configuration = HTTPServer.Configuration.patient
    configuration.bodyLimit = { _, _ in 50 << 20 }
    configuration.admit = { head in
      head.header("Key") == nil
        ? .refuse(HTTPResponse(status: 401, body: Array("no key".utf8)))
        : .handle { request in
          HTTPResponse(status: 200, body: Array("\(request.body.count)".utf8))
        }
    }
    change(&configuration)
    return try HTTPServer(configuration, handler: echo)
  }

  private func head(_ length: Int, _ fields: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: h\r\n\(fields)Content-Length: \(length)\r\n\r\n"
  }

  @Test("a refused request is answered before its body is sent")
  func beforeBody() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send(head(40_000_000))
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.hasSuffix("no key"))
    #expect(answer.contains("Connection: close\r\n"))
    await server.stop()
  }

  @Test("a client that sends its body first reads the refusal after that, and no reset")
  func lingers() async throws {
    let server = try server()
    for count in [10, 1_000_000, 7_000_000] {
      let client = RawClient(port: server.port)
      await client.send(head(count))
      #expect(await client.send([UInt8](repeating: 120, count: count)))
      #expect(await client.readToEnd().hasSuffix("no key"))
    }
    await server.stop()
  }

  @Test("what a refused client sends beyond the limit is not read")
  func lingerLimit() async throws {
    let server = try server { $0.lingerLimit = 100_000 }
    let client = RawClient(port: server.port)
    await client.send(head(40_000_000))
    // More than the buffers of the kernel hold.
    #expect(await !client.send([UInt8](repeating: 120, count: 40_000_000)))
    await server.stop()
  }

  @Test("100 Continue is sent for a body that is taken, and not for one that is refused")
  func expectation() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send(head(5, "Key: k\r\nExpect: 100-continue\r\n"))
    #expect(await client.read { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 100 Continue\r\n\r\n")
    await client.send("hello")
    #expect(await client.readAnswer().hasSuffix("\r\n\r\n5"))
    await client.send(head(5, "Expect: 100-continue\r\n"))
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 401 "))
    await server.stop()
  }

  @Test(
    "a body is whole, in memory and on disk, with a length and in chunks",
    arguments: [0, 1, 65_536, 65_537, 1_000_000, 20_000_000])
  func whole(_ count: Int) async throws {
    let counting = try HTTPServer(.patientWithLargeBodies) { request in
      let isRight = request.body.indices.allSatisfy { request.body[$0] == UInt8($0 % 251) }
      return HTTPResponse(status: isRight ? 200 : 500, body: Array("\(request.body.count)".utf8))
    }
    let bytes = (0..<count).map { UInt8($0 % 251) }
    let client = RawClient(port: counting.port)
    await client.send(head(count))
    await client.send(bytes)
    #expect(await client.readAnswer().hasSuffix("\r\n\r\n\(count)"))
    await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    if count > 0 {
      await client.send(String(count, radix: 16) + "\r\n")
      await client.send(bytes + Array("\r\n".utf8))
    }
    await client.send("0\r\n\r\n")
    #expect(await client.readAnswer().hasSuffix("\r\n\r\n\(count)"))
    await counting.stop()
  }

  @Test("a body longer than one body may be is refused in words")
  func largerThanBudget() async throws {
    let server = try server { $0.bodyMemory = 1_000_000 }
    for (count, status) in [(812_500, "200"), (812_501, "413")] {
      let client = RawClient(port: server.port)
      await client.send(head(count, "Key: k\r\n"))
      if status == "200" { await client.send([UInt8](repeating: 0, count: count)) }
      #expect(await client.readAnswer().hasPrefix("HTTP/1.1 \(status) "))
    }
    await server.stop()
  }

  @Test("a body for which the disk has no room is refused in words")
  func noDisk() async throws {
    for folder in ["/nowhere", "/tmp"] {
      let server = try server {
        $0.bodyFolder = folder
        $0.bodyDisk = folder == "/tmp" ? 100_000 : 1 << 30
      }
      let client = RawClient(port: server.port)
      await client.send(head(200_000, "Key: k\r\n"))
      await client.send([UInt8](repeating: 0, count: 200_000))
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("no room for the body"))
      await server.stop()
    }
  }

  @Test("large bodies are handled one after another when they exceed the budget together")
  func inLine() async throws {
    let most = Mutex((now: 0, most: 0))
    var configuration = HTTPServer.Configuration.patientWithLargeBodies
    configuration.bodyMemory = 10_000_000
    let server = try HTTPServer(configuration) { request in
      most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      for _ in 0..<100 { await Task.yield() }
      most.withLock { $0.now -= 1 }
      return HTTPResponse(status: 200, body: Array("\(request.body.count)".utf8))
    }
    await withTaskGroup { group in
      for _ in 0..<6 {
        group.addTask {
          let client = RawClient(port: server.port)
          await client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6000000\r\n\r\n")
          await client.send([UInt8](repeating: 0, count: 6_000_000))
          #expect(await client.readAnswer().hasSuffix("\r\n\r\n6000000"))
        }
      }
    }
    #expect(most.withLock(\.most) == 1)
    await server.stop()
  }

  /// A handler that computes without a pause stands still here, so that the test needs no time.
  private func compute(until end: DispatchSemaphore) { end.wait() }

  @Test("handlers that compute on large bodies keep no other request waiting")
  func apart() async throws {
    let (large, end) = (
      ProcessInfo.processInfo.activeProcessorCount + 2, DispatchSemaphore(value: 0)
    )
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let server = try HTTPServer(.patientWithLargeBodies) { request in
      if !request.body.isEmpty {
        begin.yield()
        self.compute(until: end)
      }
      return HTTPResponse(status: 200, body: Array("done".utf8))
    }
    var clients: [RawClient] = []
    for _ in 0..<large {
      let client = RawClient(port: server.port)
      await client.send(head(100_000))
      await client.send([UInt8](repeating: 0, count: 100_000))
      clients.append(client)
    }
    for await _ in begun { break }
    let other = RawClient(port: server.port)
    await other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await other.readAnswer().hasSuffix("done"))
    for _ in clients { end.signal() }
    for client in clients { #expect(await client.readAnswer().hasSuffix("done")) }
    await server.stop()
  }

  @Test("while bodies arrive they take an eighth of the budget; the rest goes to disk")
  func arriving() throws {
    let budget = BodyBudget(memory: 800_000, disk: 1 << 20)
    let bodies = (0..<4).map { _ in CollectedBody(budget: budget, folder: "/tmp") }
    for body in bodies { #expect(body.append([UInt8](repeating: 1, count: 40_000)[...]) == nil) }
    #expect(budget.used == 80_000)
    #expect(budget.usedOnDisk == 80_000)
  }

  @Test("a cancelled request leaves the line")
  func cancelled() async {
    let budget = BodyBudget(memory: 160, disk: 0)
    #expect(await budget.acquire(60))
    let waiting = Task { await budget.acquire(80) }
    let next = Task { await budget.acquire(70) }
    waiting.cancel()
    #expect(await !waiting.value)
    #expect(await next.value)
    budget.releaseHandled(60)
    budget.releaseHandled(70)
    #expect(budget.used == 0)
  }

  @Test("no memory and no disk is taken after the requests are over")
  func released() {
    let budget = BodyBudget(memory: 10 << 20, disk: 10 << 20)
    do {
      let body = CollectedBody(budget: budget, folder: "/tmp")
      _ = body.append([UInt8](repeating: 1, count: 50_000)[...])
      #expect(budget.used == 50_000)
      _ = body.append([UInt8](repeating: 1, count: 50_000)[...])
      #expect(budget.used == 0 && budget.usedOnDisk == 100_000)
    }
    #expect(budget.used == 0 && budget.usedOnDisk == 0)
  }
}

extension HTTPServer.Configuration {
  static var patientWithLargeBodies: Self {
    var configuration = Self.patient
    configuration.bodyLimit = { _, _ in 50 << 20 }
    return configuration
  }
}
