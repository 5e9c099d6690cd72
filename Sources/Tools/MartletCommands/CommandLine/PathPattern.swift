/// A pattern of paths: `*` is any part of a name, `?` any character, `[a-z]` one of a set, and `**`
/// any number of folders.
struct PathPattern: Sendable {
  private let segments: [[Character]]

  /// The leading folders without a wildcard; empty if the pattern begins in the current folder.
  let root: String

  /// Returns `nil` if the path has no wildcard.
  init?(_ text: String) {
    guard text.contains(where: { "*?[".contains($0) }) else { return nil }
    self.init(pattern: text)
  }

  /// Makes a pattern, which may also be a plain path.
  init(pattern text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    segments = parts
    let plain = parts.dropLast().prefix { !$0.contains { "*?[".contains($0) } }
    let root = plain.map { String($0) }.joined(separator: "/")
    self.root = root.isEmpty && text.hasPrefix("/") ? "/" : root
  }

  /// Whether the pattern can match something in a folder.
  func canMatch(below folder: String) -> Bool {
    let depth = folder.split(separator: "/", omittingEmptySubsequences: false).count
    return depth < segments.count || segments.contains(["*", "*"])
  }

  /// Whether the pattern matches a whole path.
  func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return Self.match(segments[...], names[...])
  }

  private static func match(_ segments: ArraySlice<[Character]>, _ names: ArraySlice<[Character]>)
    -> Bool
  {
    guard let segment = segments.first else { return names.isEmpty }
    if segment == ["*", "*"] {
      return (0...names.count).contains { match(segments.dropFirst(), names.dropFirst($0)) }
    }
    guard let name = names.first, match(segment[...], name: name[...]) else { return false }
    return match(segments.dropFirst(), names.dropFirst())
  }

  private static func match(
    _ segment: ArraySlice<Character>, name: ArraySlice<Character>
  ) -> Bool {
    guard let first = segment.first else { return name.isEmpty }
    switch first {
    case "*":
      return (0...name.count).contains { match(segment.dropFirst(), name: name.dropFirst($0)) }
    case "?":
      return !name.isEmpty && match(segment.dropFirst(), name: name.dropFirst())
    case "[":
      // A bracket that is not closed is an ordinary character.
      guard let end = segment.dropFirst(2).firstIndex(of: "]") else { break }
      guard let character = name.first,
        contains(character, segment[(segment.startIndex + 1)..<end])
      else { return false }
      return match(segment[(end + 1)...], name: name.dropFirst())
    default: break
    }
    return name.first == first && match(segment.dropFirst(), name: name.dropFirst())
  }

  /// Whether a character is in a set such as `abc` or `a-z`; a `!` inverts the set.
  private static func contains(_ character: Character, _ set: ArraySlice<Character>) -> Bool {
    let isInverted = set.first == "!"
    var rest = isInverted ? set.dropFirst() : set
    while let first = rest.popFirst() {
      guard rest.count >= 2, rest.first == "-" else {
        if first == character { return !isInverted }
        continue
      }
      rest = rest.dropFirst()
      if let last = rest.popFirst(), first <= last, (first...last).contains(character) {
        return !isInverted
      }
    }
    return isInverted
  }
}
