import Testing

@testable import _HTTPServer

/// The parts of the server that are values, without a socket.
@Suite("HTTP server: values")
struct ValueTests {
  private var limits: ConnectionDeadlines.Limits {
    .init(header: .seconds(10), body: .seconds(30), idle: .seconds(60), minimumBodyRate: 100)
  }

  @Test("the headers' deadline is ten seconds after the connection opened, whatever arrives")
  func headerDeadline() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int]
    deadlines.opened(1, at: .zero)
    deadlines.receivedBody(2, bytes: 5)
    late = deadlines.overdue(at: .seconds(9.999))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(10))
    #expect(late == [1])
    late = deadlines.overdue(at: .seconds(11))
    #expect(late == [], "each connection once")
  }

  @Test("a body's deadline moves by the time that its bytes take at the slowest rate")
  func bodyDeadline() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int]
    deadlines.opened(1, at: .zero)
    deadlines.receivedHead(1, at: .seconds(5))
    late = deadlines.overdue(at: .seconds(34))
    #expect(late == [])
    deadlines.receivedBody(1, bytes: 200)
    late = deadlines.overdue(at: .seconds(36))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(37))
    #expect(late == [1])
  }

  @Test("the handler has no deadline, and the next request's deadline follows the answer")
  func betweenRequests() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int]
    deadlines.opened(1, at: .zero)
    deadlines.receivedHead(1, at: .zero)
    deadlines.receivedEnd(1)
    late = deadlines.overdue(at: .seconds(10_000))
    #expect(late == [])
    deadlines.answered(1, at: .seconds(10_000))
    late = deadlines.overdue(at: .seconds(10_059))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(10_060))
    #expect(late == [1])
  }

  @Test("a closed connection has no deadline, since its descriptor may be reused")
  func closed() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int]
    deadlines.opened(1, at: .zero)
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
      ("/?q=%ff", "/", ["q=%ff"]), ("/?q=a+b%2B", "/", ["q=a b+"]), ("/x#y?z", "/x", []),
      ("http://host:80/p?q=1", "/p", ["q=1"]), ("HTTPS://host?q", "/", ["q="]), ("*", "*", []),
      ("", "", []), ("//", "/", []), ("//a///b/", "/a/b", []), ("/a/b/?q=1//", "/a/b", ["q=1//"]),
      ("/%61%5f%7E/%2f%2F%25", "/a_~/%2f%2F%25", []), ("/%2d%4/%zz%", "/-%4/%zz%", []),
      ("/%ff", "/%ff", []), ("/%2561", "/%2561", []),
    ])
  func target(raw: String, path: String, query: [String]) {
    let target = RequestTarget(raw)
    #expect(target.path == path)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test("an answer's deadline starts again with each byte that the client takes")
  func sendDeadline() {
    var deadlines = ConnectionDeadlines(limits)
    var late: [Int]
    deadlines.opened(1, at: .zero)
    deadlines.sending(1, at: .seconds(5))
    deadlines.sending(1, at: .seconds(50))
    late = deadlines.overdue(at: .seconds(109.999))
    #expect(late == [])
    late = deadlines.overdue(at: .seconds(110))
    #expect(late == [1])
  }

  @Test("a date is written as HTTP has it")
  func date() {
    #expect(ResponseHead.date(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}
