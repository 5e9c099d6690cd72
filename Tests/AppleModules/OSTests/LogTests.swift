import Foundation
import Testing

@testable import os

@Suite("Logger and os_log")
struct LogTests {
  @Test("a message has its values in their formats")
  func formats() {
    let messages: [OSLogMessage] = [
      "\(42) \(42, format: .hex) \(42, format: .hex(includePrefix: true, uppercase: true))",
      "\(-8, format: .octal(includePrefix: true)) \(7, format: .decimal(minDigits: 3))",
      "\(7, format: .decimal(explicitPositiveSign: true))|\(7, align: .right(columns: 3))|",
      "\("a", align: .left(columns: 3))|\(1.5) \(1.5, format: .fixed(precision: 1))",
      "\(true) \(true, format: .answer) \(Int.self) \([1, 2]) \(UInt8(255))",
    ]
    #expect(
      messages.map(\.text) == [
        "42 2a 0x2A", "-0o10 007", "+7|  7|", "a  |1.500000 1.5", "true YES Int [1, 2] 255",
      ])
  }

  @Test("a masked or sensitive value is not shown")
  func privacy() {
    let message: OSLogMessage = """
      \("a", privacy: .public) \("b", privacy: .private) \("c", privacy: .auto) \
      \("d", privacy: .private(mask: .hash)) \("e", privacy: .sensitive)
      """
    #expect(message.text == "a b c <mask.hash> <private>")
  }

  @Test("an error's description is a value")
  func errors() {
    struct Failure: Error {}
    let error: any Error = Failure()
    let message: OSLogMessage = "failed: \(error)"
    #expect(message.text == "failed: Failure()")
  }

  @Test("the values of a level that is not recorded are not evaluated")
  func laziness() {
    var calls = 0
    func count() -> Int {
      calls += 1
      return calls
    }
    let logger = Logger(subsystem: "a", category: "b")
    logger.debug("\(count())")
    logger.info("\(count())")
    #expect(calls == 0)
    logger.error("\(count())")
    logger.notice("\(count())")
    Logger(.disabled).fault("\(count())")
    #expect(calls == 2)
  }

  @Test("levels have Apple's numbers")
  func levels() {
    let levels: [OSLogType] = [.default, .info, .debug, .error, .fault]
    #expect(levels.map(\.rawValue) == [0, 1, 2, 16, 17])
    let kinds: [OSSignpostType] = [.event, .begin, .end]
    #expect(kinds.map(\.rawValue) == [0, 1, 2])
    #expect(OSSignpostID.exclusive.rawValue == 0xEEEE_B0B5_B2B2_EEEE)
    #expect(OSSignpostID.null.rawValue == 0 && OSSignpostID.invalid.rawValue == .max)
  }

  @Test("messages are printed if OS_ACTIVITY_DT_MODE is set")
  func printed() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      setenv("OS_ACTIVITY_DT_MODE", "enable", 1)
      writeAll()
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.split(separator: "\n") == [
        "[push] debug: one", "two", "[net] info: 3 of https://a.example, 2.50, x, 100%",
        "[net] error: four", "fault: five %d",
      ])
  }

  @Test("nothing is printed without it")
  func silent() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      unsetenv("OS_ACTIVITY_DT_MODE")
      writeAll()
    }
    #expect(result.standardErrorContent.isEmpty)
  }
}

private func writeAll() {
  let log = OSLog(subsystem: "com.example", category: "net")
  Logger(subsystem: "com.example", category: "push").debug("one")
  os_log("two")
  os_log(
    "%d of %{public}@, %.2f, %s, 100%%", log: log, type: .info, 3,
    "https://a.example" as NSString, 2.5, "x")
  os_log(.error, log: log, "f%@", "our")
  os_log("five %d", type: .fault)
}
