/// Insertions into a project file that leave every existing byte unchanged.
struct XcodeProjectEditor: Sendable {
  /// Text to insert before the byte at an offset.
  struct Insertion: Sendable {
    let offset: Int
    let text: String
  }

  /// A new object, with the comment after its id.
  struct NewObject: Sendable {
    let id: XcodeProject.ID
    let comment: String
    let isa: String
    let members: [(String, XcodeValue)]

    var reference: XcodeValue { .reference(id, comment: comment) }
  }

  let project: XcodeProject
  private let newline: String
  private(set) var insertions: [Insertion] = []
  private var newObjects: [NewObject] = []

  init(_ project: XcodeProject) {
    self.project = project
    let first = project.bytes.firstIndex(of: UInt8(ascii: "\n"))
    let isWindows = first.map { $0 > 0 && project.bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
    newline = isWindows ? "\r\n" : "\n"
  }

  /// The file with all insertions; those at the same offset are in the order in which they were made.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    var start = 0
    for insertion in finalInsertions {
      result += project.bytes[start..<insertion.offset]
      result += Array(insertion.text.utf8)
      start = insertion.offset
    }
    return result + project.bytes[start...]
  }

  /// All insertions, including those of new objects, sorted by offset.
  var finalInsertions: [Insertion] {
    (insertions + objectInsertions).enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }.map(\.element)
  }

  mutating func add(_ object: NewObject) { newObjects.append(object) }

  /// Inserts elements into the array of an object, before the element at an index or at the end;
  /// the array is created if it does not exist.
  mutating func insert(
    _ values: [XcodeValue], into key: String, of object: XcodeProject.Object, at index: Int? = nil
  ) {
    guard let list = object.value[key] else {
      addMember(key, .array(values), to: object)
      return
    }
    let elements = list.array ?? []
    let end = list.range.upperBound - 1
    if let index, index < elements.count {
      let place = elements[index].range.lowerBound
      let start = lineStart(place)
      let indent = start.map { Array(project.bytes[$0..<place]) }
      for value in values {
        let line = value.text(indent: indent?.count ?? 0, newline: newline)
        insert(indent.map { text($0) + line + "," + newline } ?? line + ", ", at: start ?? place)
      }
      return
    }
    if let last = elements.last, !list.hasTrailingComma { insert(",", at: last.range.upperBound) }
    if let start = lineStart(end) {
      let indent = text(Array(project.bytes[start..<end])) + "\t"
      for value in values {
        insert(
          indent + value.text(indent: indent.utf8.count, newline: newline) + "," + newline,
          at: start)
      }
    } else {
      let space = elements.isEmpty || list.hasTrailingComma ? "" : " "
      for value in values { insert(space + value.line + ", ", at: end) }
    }
  }

  /// Adds a key and its value to an object, in the alphabetical order that Xcode uses.
  private mutating func addMember(
    _ key: String, _ value: XcodeValue, to object: XcodeProject.Object
  ) {
    let before = (object.value.members ?? []).last { $0.key < key || $0.key == "isa" }
    guard let before else {
      insert(" \(key) = \(value.line); ", at: object.value.range.lowerBound + 1)
      return
    }
    guard let start = lineStart(before.start) else {
      insert(" \(key) = \(value.line);", at: before.end)
      return
    }
    let indent = Array(project.bytes[start..<before.start])
    let text = value.text(indent: indent.count, newline: newline)
    insert(newline + self.text(indent) + "\(key) = \(text);", at: before.end)
  }

  private mutating func insert(_ text: String, at offset: Int) {
    insertions.append(Insertion(offset: offset, text: text))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The offset at which the line of an offset begins; `nil` if other text precedes the offset on it.
  private func lineStart(_ offset: Int) -> Int? {
    let start = project.bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let isSpace = project.bytes[start..<offset].allSatisfy { $0 == 9 || $0 == 32 }
    return isSpace ? start : nil
  }

  /// The new objects, each at the end of the section for its class, or in a new section.
  private var objectInsertions: [Insertion] {
    Dictionary(grouping: newObjects, by: \.isa).sorted { $0.key < $1.key }.map { isa, objects in
      let lines = objects.map(line).joined()
      if let end = sectionMark("End", isa) {
        return Insertion(offset: end.range.lowerBound, text: lines)
      }
      let section =
        "/* Begin \(isa) section */\(newline)\(lines)/* End \(isa) section */\(newline)"
      let following = project.comments.first { comment in
        inObjects(comment) && comment.text.hasPrefix("Begin ") && comment.text.hasSuffix(" section")
          && comment.text.dropFirst(6).dropLast(8) > isa
      }
      if let following {
        return Insertion(offset: following.range.lowerBound, text: section + newline)
      }
      let end = project.list.range.upperBound - 1
      return Insertion(offset: lineStart(end) ?? end, text: newline + section)
    }
  }

  private func sectionMark(_ word: String, _ isa: String) -> OldPropertyListParser.Comment? {
    project.comments.first { inObjects($0) && $0.text == "\(word) \(isa) section" }
  }

  /// Whether a comment is between objects, and not within one.
  private func inObjects(_ comment: OldPropertyListParser.Comment) -> Bool {
    let members = project.list.members ?? []
    guard project.list.range.contains(comment.range.lowerBound) else { return false }
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].end <= comment.range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low == members.count || members[low].start >= comment.range.upperBound
  }

  private func line(_ object: NewObject) -> String {
    let members = [("isa", XcodeValue.string(object.isa))] + object.members
    let isShort = object.isa == "PBXBuildFile" || object.isa == "PBXFileReference"
    let value = XcodeValue.dictionary(members)
    let name = object.comment.isEmpty ? "" : " " + XcodeValue.comment(object.comment)
    let text = isShort ? value.line : value.text(indent: 2, newline: newline)
    return "\t\t\(object.id)\(name) = \(text);\(newline)"
  }
}
