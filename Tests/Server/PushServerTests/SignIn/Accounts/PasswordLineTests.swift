import Testing

@testable import PushServer

@Suite("The line of passwords")
struct PasswordLineTests {
  private static func caller(_ number: Int, isKnown: Bool = false) -> PasswordWork.Caller {
    PasswordWork.Caller(address: "192.0.2.\(number)", isKnown: isKnown)
  }

  /// The entries in the order in which they are served.
  private func served(_ line: PasswordLine) -> [Int] {
    var line = line
    var ids: [Int] = []
    while let id = line.next() { ids.append(id) }
    return ids
  }

  @Test("known browsers go first, and the networks of the others take turns")
  func order() {
    var line = PasswordLine(limit: 16)
    for id in 0..<4 { #expect(add(id, of: Self.caller(1), to: &line) == .taken) }
    #expect(add(4, of: Self.caller(2), to: &line) == .taken)
    #expect(add(5, of: Self.caller(2), to: &line) == .taken)
    #expect(add(6, of: Self.caller(3, isKnown: true), to: &line) == .taken)
    #expect(served(line) == [6, 0, 4, 1, 5, 2, 3])
  }

  private func add(
    _ id: Int, of caller: PasswordWork.Caller, to line: inout PasswordLine
  ) -> PasswordLine.Verdict {
    line.add(id, of: caller)
  }

  @Test("where the line is full, a network with fewer takes a place of the one with most")
  func full() {
    var line = PasswordLine(limit: 4)
    for id in 0..<3 { #expect(add(id, of: Self.caller(1), to: &line) == .taken) }
    #expect(add(3, of: Self.caller(2), to: &line) == .taken)
    #expect(add(4, of: Self.caller(1), to: &line) == .refused)
    #expect(add(5, of: Self.caller(3), to: &line) == .takenInPlace(of: 2))
    #expect(add(6, of: Self.caller(4), to: &line) == .takenInPlace(of: 1))
    #expect(add(7, of: Self.caller(5), to: &line) == .refused, "each has one by now")
    #expect(line.count == 4)
  }

  @Test("known browsers have a limit of their own")
  func known() {
    var line = PasswordLine(limit: 2)
    for id in 0..<2 { #expect(add(id, of: Self.caller(1), to: &line) == .taken) }
    for id in 2..<4 {
      #expect(add(id, of: Self.caller(1, isKnown: true), to: &line) == .taken)
    }
    #expect(add(4, of: Self.caller(2, isKnown: true), to: &line) == .refused)
  }

  @Test("the addresses of an IPv6 /48 are one network")
  func network() {
    let first = PasswordWork.Caller(address: "2001:db8:1:2::3", isKnown: false)
    #expect(first == PasswordWork.Caller(address: "2001:db8:1:ff00::9", isKnown: false))
    #expect(first != PasswordWork.Caller(address: "2001:db8:2:2::3", isKnown: false))
  }
}
