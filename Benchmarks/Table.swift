import Foundation

/// A row of the result table.
struct Row {
  var name: String
  var ours: String
  var peer: String = "–"
  var ratio: String = "–"
  /// The bound, in words.
  var bound: String = "–"
  var holds: Bool?

  /// A comparison of two numbers; the bound is a range of their ratio.
  static func comparison(
    _ name: String, ours: Double, peer: Double, bound: ClosedRange<Double>? = nil,
    format: (Double) -> String
  ) -> Row {
    comparison(name, ours: ours, peer: peer, ratio: ours / peer, bound: bound, format: format)
  }

  /// A comparison of two measurements that were made in turn, once in each round.
  ///
  /// The numbers are medians of the rounds. The ratio is the median of the ratios of the rounds, since the host's speed
  /// changes more between rounds than within one.
  static func comparison(
    _ name: String, ours: [Double], peer: [Double], bound: ClosedRange<Double>? = nil,
    format: (Double) -> String
  ) -> Row {
    comparison(
      name, ours: ours.median, peer: peer.median, ratio: zip(ours, peer).map(/).median,
      bound: bound, format: format)
  }

  private static func comparison(
    _ name: String, ours: Double, peer: Double, ratio: Double, bound: ClosedRange<Double>?,
    format: (Double) -> String
  ) -> Row {
    var row = Row(name: name, ours: format(ours), peer: format(peer), ratio: fixed(ratio, 2))
    if let bound {
      row.bound =
        bound.upperBound == .infinity
        ? "at least \(bound.lowerBound)" : "at most \(bound.upperBound)"
      row.holds = ratio.isFinite && bound.contains(ratio)
    }
    return row
  }

  static func table(_ rows: [Row]) -> String {
    let head = [["", "ours", "peer", "ratio", "bound", "holds"]]
    let cells =
      head
      + rows.map { row in
        [
          row.name, row.ours, row.peer, row.ratio, row.bound,
          row.holds.map { $0 ? "yes" : "NO" } ?? "",
        ]
      }
    let widths = head[0].indices.map { column in cells.map(\.[column].count).max() ?? 0 }
    return cells.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

/// A number with a fixed number of decimal places.
func fixed(_ number: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", number)
}
