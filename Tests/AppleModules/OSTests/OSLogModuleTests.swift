import OSLog
import Testing

@Suite("OSLog")
struct OSLogModuleTests {
  @Test("the module exports os")
  func export() {
    Logger(subsystem: "a", category: "b").error("c")
    #expect(OSLog.default.isEnabled(type: .error) && !OSLog.disabled.isEnabled(type: .error))
  }
}
