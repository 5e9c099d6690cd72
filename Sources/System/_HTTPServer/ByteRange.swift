/// The part of a file that a `Range` header requests (RFC 9110, section 14.2).
///
/// A single range is served. Several ranges, or a header that cannot be parsed, mean the whole
/// file, as the RFC allows.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, let equals = header.firstIndex(of: "="),
      HTTPFieldName.equal(String(header[..<equals]), "bytes")
    else { return }
    let sides = header[header.index(after: equals)...]
      .split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
      return
    }
    switch (Int(sides[0]), Int(sides[1])) {
    case (let first?, let last?):
      guard first <= last else { return }
      // The last byte may be any number, also the largest.
      self = first < size ? .part(first..<(last < size ? last + 1 : size)) : .unsatisfiable
    case (let first?, nil) where sides[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let suffix?) where sides[0].isEmpty:
      self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
    default:
      return
    }
  }
}
