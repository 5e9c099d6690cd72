import Foundation

/// The table of `make scale`: an index of more and more devices and a send to nearly half of them, and what a billion would take.
///
/// The last column is computed from the two largest measurements: what grew with the devices goes on growing so.
struct ScaleBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  /// Measures each count, and prints the table.
  func run(_ counts: [Int]) throws {
    var reports: [ScaleReport] = []
    for count in counts {
      let cluster = try BenchCluster()
      let child = try Child([
        ProcessInfo.processInfo.arguments[0], "scale", setup.folder.path(percentEncoded: false),
        cluster.url, "\(count)",
      ])
      var report = try JSONDecoder().decode(
        ScaleReport.self, from: Data(try child.readLine().utf8))
      // Before the outcomes are removed.
      report.databaseBytes =
        Int(try cluster.value("SELECT pg_total_relation_size('batches')")) ?? 0
      try child.writeLine("remove")
      report.retentionSeconds = Double(try child.readLine()) ?? .nan
      _ = try child.finish()
      reports.append(report)
      try cluster.stop()
      FileHandle.standardError.write(Data("\(count) devices were measured\n".utf8))
    }
    print(Self.table(reports))
  }

  private static let target = 1_000_000_000.0

  private static func table(_ reports: [ScaleReport]) -> String {
    typealias Line = (name: String, value: (ScaleReport) -> Double, text: (Double) -> String)
    let seconds: (Double) -> String = { fixed($0, 2) + " s" }
    let lines: [Line] = [
      ("index from the store's rows, read only", { $0.indexSeconds }, seconds),
      ("  memory with it", { Double($0.indexMemory) }, megabytes),
      ("  its files", { Double($0.snapshotBytes) }, megabytes),
      ("  ready after a restart", { $0.restartSeconds }, seconds),
      ("count of nearly half of the devices", { $0.countMilliseconds / 1000 }, seconds),
      ("their numbers, for a send", { $0.freezeSeconds }, seconds),
      ("  in the database", { Double($0.audienceBytes) }, megabytes),
      ("acceptance of the send", { $0.acceptSeconds }, seconds),
      ("all batches cut, leased and finished, without APNs", { $0.sendSeconds }, seconds),
      ("  the first 1,000 batches", { $0.firstSeconds }, seconds),
      ("  the last 1,000 batches", { $0.lastSeconds }, seconds),
      ("  batches with outcomes in the database", { Double($0.databaseBytes) }, megabytes),
      ("removal of the outcomes", { $0.retentionSeconds }, seconds),
    ]
    let head = ["devices"] + reports.map { "\($0.devices)" } + ["1000000000, computed"]
    let rows = lines.map { line in
      let values = reports.map(line.value)
      return [line.name] + values.map(line.text)
        + [line.text(extrapolated(values, reports.map { Double($0.devices) }))]
    }
    let widths = head.indices.map { column in ([head] + rows).map(\.[column].count).max() ?? 0 }
    return ([head] + rows).map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// What a value is at a billion devices, on the line through the two largest measurements.
  private static func extrapolated(_ values: [Double], _ devices: [Double]) -> Double {
    guard values.count > 1, let last = values.last, let most = devices.last else { return .nan }
    let slope = (last - values[values.count - 2]) / (most - devices[devices.count - 2])
    return last + max(0, slope) * (target - most)
  }
}
