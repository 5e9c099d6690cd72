import Foundation

/// What MartletKit costs the app that links it.
struct AppBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let client = try setup.client("app", setup.path("apps"))
    func numbers(_ count: Int) throws -> [Double] {
      let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == count else {
        throw Child.Failure(description: "app printed no numbers")
      }
      return numbers
    }
    _ = try client.readLine()
    let before = client.anonymousMemory
    try client.writeLine("start one")
    _ = try client.readLine()
    let memory = client.anonymousMemory - before
    try client.writeLine("start many")
    let start = try numbers(3)
    let changes = try numbers(2)
    _ = try client.finish()
    return [
      Row(
        name: "MartletKit starts, without a network, median", ours: fixed(start[0], 2) + " ms",
        bound: "under 5 ms", holds: start[0] < 5),
      Row(name: "  p99", ours: fixed(start[1], 2) + " ms"),
      Row(
        name: "  files before, with a token and a tag", ours: fixed(start[2], 0), bound: "0",
        holds: start[2] == 0),
      Row(
        name: "  requests for 1,000 tags within a second", ours: fixed(changes[0], 0), bound: "1",
        holds: changes[0] == 1),
      Row(name: "  a tag, on disk when the call returns", ours: fixed(changes[1], 0) + " µs"),
      Row(
        name: "  memory at rest over the process", ours: megabytes(Double(memory)),
        bound: "under 1 MB", holds: memory < 1_000_000),
    ] + (try size())
  }

  /// The size of a program with the library over that of one without, in `.build/size`.
  private func size() throws -> [Row] {
    let app = try Self.sections("bench-app")
    let empty = try Self.sections("bench-empty")
    let core = app.loaded - empty.loaded
    return [
      Row(
        name: "  linked size, with PushPayload", ours: megabytes(core), bound: "under 1.5 MB",
        holds: core < 1_500_000),
      Row(
        name: "  with what ELF adds to unwind and relocate",
        ours: megabytes(core + app.tables - empty.tables)),
    ]
  }

  /// The bytes of a program's code, constants and data, and of the tables by which ELF unwinds, relocates and links.
  ///
  /// A program for iOS has these tables packed. Symbols and debug information are not counted.
  private static func sections(_ name: String) throws -> (loaded: Double, tables: Double) {
    var (loaded, tables) = (0.0, 0.0)
    let lines = try Child(["size", "-A", ".build/size/release/\(name)"]).finish().output
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let bytes = Double(words[1]) else { continue }
      if [".text", ".rodata", ".data", ".data.rel.ro", ".bss"].contains(words[0])
        || words[0].hasPrefix("swift5_")
      {
        loaded += bytes
      } else if [".eh_frame", ".eh_frame_hdr", ".rela.dyn", ".dynsym", ".dynstr"].contains(words[0])
      {
        tables += bytes
      }
    }
    guard loaded > 0 else { throw Child.Failure(description: "size printed no sections") }
    return (loaded, tables)
  }
}
