import Foundation
import Testing

@testable import APNsSandbox

@Suite("Fault scripts")
struct SandboxFaultScriptTests {
  /// A rule as JSON, and which of the first ten requests it applies to.
  static let cases: [(rule: String, numbers: [Int])] = [
    (#"{"after":3,"do":"goaway"}"#, [4]),
    (#"{"after":3,"count":2,"do":"status","status":503}"#, [4, 5]),
    (#"{"after":8,"do":"status","status":503,"for":"1m"}"#, [9, 10]),
    (#"{"every":4,"do":"reset"}"#, [4, 8]),
    (#"{"after":1,"every":4,"do":"stall"}"#, [5, 9]),
    (#"{"token":"FF","do":"status","status":410,"timestamp":1}"#, [2, 4, 6, 8, 10]),
    (#"{"do":"latency","value":"20ms","count":1}"#, [1]),
    (#"{"at":"2s","do":"limit","value":1}"#, []),
    (#"{"at":"1h","do":"refuse"}"#, []),
  ]

  @Test("each rule applies to the requests that it names", arguments: cases)
  func requests(_ rule: String, _ numbers: [Int]) throws {
    let script = try FaultScript(json: Data(#"{"rules":[\#(rule)]}"#.utf8))
    var state = FaultScriptState(script)
    let met = (1...10).filter { number in
      !state.onRequest(
        number, token: number.isMultiple(of: 2) ? "ff" : "aa", elapsed: .seconds(number)
      ).isEmpty
    }
    #expect(met == numbers)
  }

  @Test("a connection fault at a time occurs once and without a request")
  func moment() {
    var state = FaultScriptState(
      FaultScript([.init(.limit(1), at: .seconds(2), lasting: .seconds(3))]))
    #expect(state.moments == [.seconds(2)])
    #expect(state.onTime(.seconds(1)).isEmpty)
    #expect(state.onTime(.seconds(2)) == [.init(fault: .limit(1), lasting: .seconds(3))])
    #expect(state.onTime(.seconds(2)).isEmpty)
  }

  @Test("faults at two times occur at their own time, and repeated ones continue with requests")
  func moments() {
    var state = FaultScriptState(
      FaultScript([
        .init(.drop, at: .seconds(1), count: 3), .init(.goAway(), at: .seconds(2)),
        .init(.halfOpen, at: .seconds(2), count: 1),
      ]))
    func request(_ number: Int, _ seconds: Int) -> [Fault] {
      state.onRequest(number, token: "ff", elapsed: .seconds(seconds)).map(\.fault)
    }
    #expect(Set(state.moments) == [.seconds(1), .seconds(2)])
    #expect(request(1, 0).isEmpty)
    #expect(request(2, 1).isEmpty, "not before all connections have met it")
    #expect(state.onTime(.seconds(1)).map(\.fault) == [.drop])
    #expect(request(3, 1) == [.drop])
    #expect(state.onTime(.seconds(2)).map(\.fault) == [.goAway(), .halfOpen])
    #expect(request(4, 3) == [.drop])
    #expect(request(5, 3).isEmpty, "three times are over")
  }

  @Test("a script has at most 1000 rules")
  func most() throws {
    func script(_ count: Int) -> Data {
      Data(
        #"{"rules":[\#(Array(repeating: #"{"do":"stall"}"#, count: count).joined(separator: ","))]}"#
          .utf8)
    }
    #expect(try FaultScript(json: script(1000)).rules.count == 1000)
    let error = #expect(throws: FaultScriptError.self) { try FaultScript(json: script(1001)) }
    #expect(error?.key == "rules")
  }

  @Test(
    "a number at its limit is read, and one beyond it is refused",
    arguments: [
      ("after", #""do":"stall""#, "0", "-1"),
      ("after", #""do":"stall""#, "2147483647", "2147483648"),
      ("every", #""do":"stall""#, "1", "0"),
      ("every", #""do":"stall""#, "2147483647", "2147483648"),
      ("count", #""do":"stall""#, "1", "0"),
      ("count", #""do":"stall""#, "2147483647", "2147483648"),
      ("at", #""do":"stall""#, "86400", "86401"), ("for", #""do":"stall""#, #""24h""#, #""25h""#),
      ("last_stream", #""do":"goaway""#, "2147483647", "2147483648"),
      ("code", #""do":"goaway""#, "4294967295", "4294967296"),
      ("value", #""do":"limit""#, "0", "-1"),
      ("value", #""do":"limit""#, "4294967295", "4294967296"),
      ("value", #""do":"reset""#, "4294967295", "4294967296"),
      ("value", #""do":"slow""#, "1", "0"), ("value", #""do":"slow""#, "65535", "65536"),
      ("value", #""do":"latency""#, "86400000", "86400001"),
      ("value", #""do":"garbage""#, "1", "0"), ("value", #""do":"garbage""#, "7", "8"),
      ("status", #""do":"status""#, "200", "199"), ("status", #""do":"status""#, "599", "600"),
      ("timestamp", #""do":"status","status":410"#, "0", "-1"),
      ("initial_window_size", #""do":"settings""#, "2147483647", "2147483648"),
      ("max_concurrent_streams", #""do":"settings""#, "4294967295", "4294967296"),
    ])
  func numbers(key: String, rule: String, most: String, beyond: String) throws {
    func read(_ number: String) throws {
      _ = try FaultScript(json: Data(#"{"rules":[{\#(rule),"\#(key)":\#(number)}]}"#.utf8))
    }
    try read(most)
    let error = #expect(throws: FaultScriptError.self) { try read(beyond) }
    #expect(error?.key == key)
  }

  @Test(
    "the error of an invalid script names the rule and the key",
    arguments: [
      (#"{"rules":[{"do":"stall"},{"do":"explode"}]}"#, 2, "do"),
      (#"{"rules":[{"do":"limit"}]}"#, 1, "value"),
      (#"{"rules":[{"do":"status","status":199}]}"#, 1, "status"),
      (#"{"rules":[{"do":"stall","at":"soon"}]}"#, 1, "at"),
      (#"{"rules":[{"do":"stall","every":0}]}"#, 1, "every"),
      (#"{"rules":[{"do":"stall","status":200}]}"#, 1, "status"),
      (#"{"rules":[{"do":"garbage","value":99}]}"#, 1, "value"),
      (#"{"rules":7}"#, nil, "rules"),
      ("nonsense", nil, nil),
    ] as [(String, Int?, String?)])
  func badScript(_ json: String, _ rule: Int?, _ key: String?) {
    let error = #expect(throws: FaultScriptError.self) { try FaultScript(json: Data(json.utf8)) }
    #expect(error?.rule == rule)
    #expect(error?.key == key)
  }
}
