import Testing

@testable import PushServer

@Suite("The process's metrics")
struct ProcessStatusTests {
  /// A line of `/proc/self/stat` with the fields that are read.
  private static func line(_ name: String) -> String {
    "4321 (\(name)) S 1 4321 4321 0 -1 4194304 900 0 3 0 150 50 0 0 20 0 9 0 12345 104857600 2560 "
      + "18446744073709551615 1 1 0 0 0 0 0 4096 17642 0 0 0 17 1 0 0 0 0 0"
  }

  @Test(
    "the fields after the program's name are read, whatever the name is",
    arguments: ["martlet", "a b", "x) S 1 (y", "(((", ")"])
  func fields(name: String) throws {
    let status = try #require(
      ProcessStatus(stat: Self.line(name), bootTime: 1_700_000_000, ticks: 100, pageSize: 4096))
    #expect(status.cpuSeconds == 2)
    #expect(status.threads == 9)
    #expect(status.startTime == 1_700_000_123.45)
    #expect(status.virtualBytes == 104_857_600)
    #expect(status.residentBytes == 2560 * 4096)
  }

  @Test(
    "a file of another form gives nothing",
    arguments: ["", "4321 (martlet", "4321 (martlet) S 1 2", "4321 martlet S 1 4321 4321 0"])
  func invalid(stat: String) {
    #expect(ProcessStatus(stat: stat, bootTime: 0, ticks: 100, pageSize: 4096) == nil)
    let text = Self.line("martlet")
    #expect(ProcessStatus(stat: text, bootTime: 0, ticks: 0, pageSize: 4096) == nil)
  }

  @Test("this process has memory, files and a start in the past")
  func current() throws {
    let status = try #require(ProcessStatus.current())
    #expect(status.residentBytes > 1 << 20 && status.virtualBytes >= status.residentBytes)
    #expect(status.openFiles > 2 && status.threads > 0 && status.cpuSeconds > 0)
    #expect(status.fileLimit.map { $0 >= status.openFiles } ?? true)
    #expect(status.startTime > 1_700_000_000)
  }
}
