import Foundation
import Glibc
import MediaLoading
import Testing

@testable import _Curl

@Suite("libcurl where the system cannot start a thread", .timeLimit(.minutes(10)))
struct BlockingThreadTests {
  static let start: BlockingThread.Start = { _ in throw ThreadError(code: EAGAIN) }

  @Test("a request throws the error")
  func client() async throws {
    let client = CurlClient(startThread: Self.start)
    let error = await #expect(throws: ThreadError.self) {
      try await client.answer(to: OutgoingRequest(url: "http://127.0.0.1:1/") { _, _ in true })
    }
    #expect(error?.code == EAGAIN)
  }

  @Test("a load ends once, with the error as its cause")
  func loader() async throws {
    let loader = CurlMediaLoader(startThread: Self.start)
    let sink = RecordingSink()
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    loader.load(MediaRequest(url: url), into: sink).cancel()
    let result = await sink.result()
    #expect(result.ends == 1 && result.error?.code == .network)
    #expect(result.error?.cause is ThreadError)
  }
}
