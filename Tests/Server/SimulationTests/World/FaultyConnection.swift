import PushModel

@testable import PushStore

/// A connection that does not run the statements which a planted fault or a test leaves out.
struct FaultyConnection: SQLConnection {
  private let base: any SQLConnection
  private let fault: PlantedFault?
  private let statements: Statements?

  init(_ base: any SQLConnection, _ fault: PlantedFault?, _ statements: Statements?) {
    (self.base, self.fault, self.statements) = (base, fault, statements)
  }

  var dialect: SQLDialect { base.dialect }

  private func leavesOut(_ sql: SQL) -> Bool {
    fault?.leavesOut(sql) ?? false || statements?.leaveOut(sql.text) ?? false
  }

  func run(_ sql: SQL) throws -> Int { leavesOut(sql) ? 0 : try base.run(sql) }

  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws {
    if leavesOut(sql) { return changed(0) }
    try base.queue(fault?.changed(sql) ?? sql, changed: changed)
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    if fault == .audienceIsOld, table == "changes" { return }
    if statements?.leaveOut("INSERT INTO \(table)") ?? false { return }
    try base.insert(into: table, columns: columns, nextRow)
  }

  func flush() throws { try base.flush() }
  func fetchAhead(_ query: @autoclosure () -> SQL) throws { try base.fetchAhead(query()) }
  func planForSize() throws { try base.planForSize() }

  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws -> T? {
    try leavesOut(sql) ? nil : base.run(sql, returning: map)
  }

  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T] {
    try leavesOut(sql) ? [] : base.changedRows(sql, map: map)
  }

  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws {
    try base.forEachRow(of: sql, read)
  }

  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    try base.row(sql, map: map)
  }
}

extension PlantedFault {
  /// Whether the fault leaves a statement out.
  fileprivate func leavesOut(_ sql: SQL) -> Bool {
    func begins(_ texts: String...) -> Bool { texts.contains { sql.text.hasPrefix($0) } }
    func isState(_ states: String...) -> Bool {
      begins("UPDATE sends SET state") && states.contains { sql.values.first == .text($0) }
    }
    return switch self {
    case .cancelIsForgotten:
      isState("canceled")
        || begins(
          "DELETE FROM segments", "DELETE FROM batches", "UPDATE segments SET due_at = NULL",
          "UPDATE batches SET due_at = NULL")
    case .pauseIsForgotten:
      isState("paused", "pausing")
        || begins("UPDATE segments SET waits = FALSE", "UPDATE batches SET waits = FALSE\nWHERE")
    case .capsAreNotCounted: begins("INSERT INTO push_ledger")
    case .audienceIsOld: begins("INSERT INTO changes")
    default: false
    }
  }

  /// The statement that runs in place of another one.
  fileprivate func changed(_ sql: SQL) -> SQL {
    guard sql.text.hasPrefix("INSERT INTO segments") else { return sql }
    return switch self {
    case .scheduleIsForgotten: sql.replacing(4, with: .integer(0))
    case .quietHoursAreForgotten: sql.replacing(5, with: .null)
    default: sql
    }
  }
}

extension SQL {
  /// The statement with another value of a parameter; its parameters are numbered in the order of the text.
  fileprivate func replacing(_ index: Int, with value: SQLValue) -> SQL {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    var changed = SQL(stringLiteral: String(parts[0]))
    for (place, part) in parts.dropFirst().enumerated() {
      changed.appendInterpolation(place == index ? value : values[place])
      changed.appendInterpolation(raw: String(part.drop { $0.isWholeNumber }))
    }
    return changed
  }
}
