/// One piece of work in a trace.
///
/// It never has a payload, a token, a key or a path with ids.
struct Span: Hashable, Sendable {
  /// The numbers are those of the protocol.
  enum Kind: Int, Sendable { case `internal` = 1, server, client, producer, consumer }

  enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  var name: String
  var kind: Kind
  var context: TraceContext
  /// The span that this one is a part of; `nil` for the first one of a trace.
  var parent: String?
  /// Nanoseconds since 1970.
  var start: UInt64
  var end: UInt64
  var attributes: [String: Value] = [:]
  /// What failed; `nil` where nothing did.
  var failure: String?
}

/// A span that has begun.
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
