/// One piece of work in a trace.
///
/// It never contains a payload, a token, a key or a path with ids.
struct Span: Hashable, Sendable {
  /// The raw values are the numbers in the protocol.
  enum Kind: Int, Sendable { case `internal` = 1, server, client, producer, consumer }

  enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  var name: String
  var kind: Kind
  var context: TraceContext
  /// The id of the span that contains this one; `nil` if this is the first span of a trace.
  var parent: String?
  /// The time in nanoseconds since 1970.
  var start: UInt64
  var end: UInt64
  var attributes: [String: Value] = [:]
  /// The failure; `nil` if nothing failed.
  var failure: String?
}

/// A span that has begun and not ended.
struct OpenSpan: Hashable, Sendable {
  var context: TraceContext
  var parent: String?
  var start: UInt64

  func ended(
    _ name: String, _ kind: Span.Kind, at end: UInt64, attributes: [String: Span.Value] = [:],
    failure: String? = nil
  ) -> Span {
    Span(
      name: name, kind: kind, context: context, parent: parent, start: start,
      end: max(start, end), attributes: attributes, failure: failure)
  }
}
