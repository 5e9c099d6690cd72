import Testing

@testable import _HTTPServer

/// The parts of the server that are values, without a socket.
@Suite("HTTP server: values")
struct ValueTests {
  private var limits: ConnectionDeadlines.Limits {
    .init(header: .seconds(10), body: .seconds(30), idle: .seconds(60), minimumBodyRate: 100)
  }

  @Test("headers are due ten seconds after the connection opened, whatever comes")
  func headerDeadline() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int32]
    deadlines.opened(1, socket: 7, at: .zero)
    deadlines.bodyCame(2, bytes: 5)
    late = deadlines.overdue(at: .seconds(9.999))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(10))
    #expect(late == [7])
    late = deadlines.overdue(at: .seconds(11))
    #expect(late == [], "each socket once")
  }

  @Test("a body is due after its deadline and the time that its bytes take at the slowest rate")
  func bodyDeadline() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int32]
    deadlines.opened(1, socket: 7, at: .zero)
    deadlines.headEnded(1, at: .seconds(5))
    late = deadlines.overdue(at: .seconds(34))
    #expect(late == [])
    deadlines.bodyCame(1, bytes: 200)
    late = deadlines.overdue(at: .seconds(36))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(37))
    #expect(late == [7])
  }

  @Test("nothing is due while the handler works, and the next request is after the answer")
  func betweenRequests() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int32]
    deadlines.opened(1, socket: 7, at: .zero)
    deadlines.headEnded(1, at: .zero)
    deadlines.requestEnded(1)
    late = deadlines.overdue(at: .seconds(10_000))
    #expect(late == [])
    deadlines.answered(1, at: .seconds(10_000))
    late = deadlines.overdue(at: .seconds(10_059))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(10_060))
    #expect(late == [7])
  }

  @Test("a closed connection is never due: its number may be another's by then")
  func closed() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int32]
    deadlines.opened(1, socket: 7, at: .zero)
    deadlines.closed(1)
    deadlines.answered(1, at: .zero)
    late = deadlines.overdue(at: .seconds(100))
    #expect(late == [])
    #expect(deadlines.count == 0)
  }

  @Test(
    "a target is split into path and decoded query",
    arguments: [
      ("/", "/", []), ("/a%2Fb?", "/a%2Fb", []), ("/?a=1&b=2", "/", ["a=1", "b=2"]),
      ("/?a=1&a=2", "/", ["a=1", "a=2"]), ("/?a", "/", ["a="]), ("/?=b", "/", ["=b"]),
      ("/?a=b=c", "/", ["a=b=c"]), ("/?&&a=1&", "/", ["a=1"]), ("/?a=%41%zz%4", "/", ["a=A%zz%4"]),
      ("/?q=%ff", "/", ["q=\u{fffd}"]), ("/?q=a+b%2B", "/", ["q=a b+"]), ("/x#y?z", "/x", []),
      ("http://host:80/p?q=1", "/p", ["q=1"]), ("HTTPS://host?q", "/", ["q="]), ("*", "*", []),
      ("", "", []),
    ])
  func target(_ raw: String, _ path: String, _ query: [String]) {
    let target = RequestTarget(raw)
    #expect(target.path == path)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test("a limit of nothing takes an empty body and no other")
  func emptyLimit() {
    for (length, accepted) in [("0", true), ("1", false)] {
      var machine = ExchangeMachine()
      let headers = [(name: "Host", value: "h"), (name: "content-length", value: length)]
      let action = machine.headEnded(version: "HTTP/1.1", headers: headers, limit: { 0 })
      if case .proceed = action { #expect(accepted) } else { #expect(!accepted) }
    }
  }

  @Test("an answer to an abandoned request wakes nobody")
  func abandoned() {
    var machine = ExchangeMachine()
    _ = machine.headEnded(
      version: "HTTP/1.0", headers: [], limit: { 10 })
    _ = machine.continued()
    let wakes = [
      machine.abandoned(), machine.abandoned(), machine.responded(HTTPResponse(status: 200)),
    ]
    #expect(wakes == [true, false, false])
    guard case .hangUp = machine.continued() else {
      Issue.record("an abandoned request is hung up on")
      return
    }
  }

  @Test("an answer wakes the connection once")
  func answered() {
    var machine = ExchangeMachine()
    _ = machine.headEnded(version: "HTTP/1.0", headers: [], limit: { 10 })
    _ = machine.continued()
    let wakes = [200, 201].map { machine.responded(HTTPResponse(status: $0)) }
    #expect(wakes == [true, false])
    guard case .answer(let response, _) = machine.continued() else {
      Issue.record("there is an answer")
      return
    }
    #expect(response.status == 200)
  }
}
