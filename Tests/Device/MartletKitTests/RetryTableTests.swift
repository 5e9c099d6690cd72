import Testing

@testable import MartletKit

@Suite("The table of answers")
struct RetryTableTests {
  @Test(
    "each status of the server has a meaning for each kind of request",
    arguments: [
      (200, Verdict.accepted, nil, nil), (202, .accepted, nil, nil), (204, .accepted, nil, nil),
      (301, .refused, nil, nil), (400, .halve, nil, Verdict.refused), (401, .refused, nil, nil),
      (403, .refused, nil, nil), (404, .refused, Verdict.unknownDevice, .accepted),
      (405, .refused, nil, nil), (408, .later, nil, nil), (409, .later, nil, nil),
      (413, .halve, nil, .refused), (415, .refused, nil, nil), (422, .halve, nil, .refused),
      (425, .later, nil, nil), (429, .later, nil, nil), (451, .erased, nil, .accepted),
      (500, .later, nil, nil), (502, .later, nil, nil), (503, .later, nil, nil),
      (100, .later, nil, nil),
    ] as [(Int, Verdict, Verdict?, Verdict?)])
  func verdicts(status: Int, usual: Verdict, events: Verdict?, erase: Verdict?) {
    #expect(RetryTable.verdict(status, for: .update) == usual)
    #expect(RetryTable.verdict(status, for: .sync) == events ?? usual)
    #expect(RetryTable.verdict(status, for: .marks) == events ?? usual)
    #expect(RetryTable.verdict(status, for: .receipts) == usual)
    #expect(RetryTable.verdict(status, for: .events) == events ?? usual)
    #expect(RetryTable.verdict(status, for: .erase) == erase ?? usual)
    let token = status == 403 ? .ask : usual
    #expect(RetryTable.verdict(status, for: .token) == events ?? token)
    let isNothing = [400, 413, 422].contains(status)
    #expect(
      RetryTable.verdict(status, for: .tokenRemoval) == (isNothing ? .accepted : events ?? token))
  }

  @Test("no answer is one for later", arguments: RetryTable.Kind.allCases)
  func noAnswer(kind: RetryTable.Kind) { #expect(RetryTable.verdict(nil, for: kind) == .later) }

  @Test(
    "waits double up to five minutes, and a half of each is by chance",
    arguments: [(1, 1), (2, 2), (3, 4), (9, 256), (10, 300), (11, 300), (1000, 300), (0, 1)]
      as [(Int, Int64)])
  func delays(failures: Int, seconds: Int64) {
    #expect(RetryTable.wait(failures: failures, retryAfter: nil, jitter: 1) == seconds * 1000)
    #expect(RetryTable.wait(failures: failures, retryAfter: nil, jitter: 0) == seconds * 500)
  }

  @Test(
    "the server's Retry-After is obeyed up to an hour",
    arguments: [(30, 30), (0, 1), (-5, 1), (3600, 3600), (3601, 3600), (Int.max, 3600)]
      as [(Int, Int64)])
  func retryAfter(seconds: Int, wait: Int64) {
    #expect(RetryTable.wait(failures: 1, retryAfter: seconds, jitter: 1) == wait * 1000)
  }
}
