import PushModel
import PushPayload

extension RequestError {
  /// A 422 for a name that is not a filter's, with the form of the name that was probably meant.
  static func unknownFilter(_ path: String, _ name: String) -> RequestError {
    refused(
      path, "must name a filter, and \"\(name.prefix(64))\" is none; \(filterAdvice(for: name))")
  }

  private static func filterAdvice(for name: String) -> String {
    let types = Attribute.Kind.allCases.map(\.rawValue)
    let others = types.dropFirst().joined(separator: ", ")
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let own = parts.count == 2 && parts[0] == "custom" ? String(parts[1]) : nil
    if let own, !types.contains(own), isShort(own) {
      return "name its type too: custom.\(types[0]).\(own), or \(others) in place of \(types[0])"
    }
    if parts.count > 2, parts[0] == "custom", !types.contains(String(parts[1])) {
      return "the types of attributes are \(types.joined(separator: ", "))"
    }
    if let near = NearestName.find(name, among: Filter.BuiltIn.allCases.map(\.rawValue)) {
      return "did you mean \(near)?"
    }
    if parts.count == 1, isShort(name) {
      return "an attribute is custom.\(types[0]).\(name) (or \(others)), an event events.\(name)"
    }
    return "an attribute is custom.TYPE.NAME, and an event events.NAME"
  }

  private static func isShort(_ name: String) -> Bool {
    name.utf8.count <= NearestName.limit && Attribute.isName(name)
  }
}
