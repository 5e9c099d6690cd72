import PushPayload

extension RequestError {
  /// A 422 for an unknown name, with the known name that is most likely meant.
  ///
  /// `names` are the known ones. `outer` is the enclosing object with the names that it knows, and
  /// `inner` the path of a nested object that knows the name, because a member may be one level too
  /// deep or too high.
  static func unknown(
    _ path: String, _ name: String, knows names: Set<String>,
    outer: (path: String, names: Set<String>)? = nil, inner: String? = nil
  ) -> RequestError {
    if let outer, outer.names.contains(name) {
      return refused(path, "is not known here; it is a member of \(outer.path)")
    }
    if let inner {
      return refused(path, "is not known here; it is a member of \(inner)")
    }
    let advice = ForeignName.advice(for: name, among: names)
    let names = names.sorted()
    if let near = NearestName.find(name, among: names) {
      return refused(path, "is not known; did you mean \(near)?")
    }
    if let advice { return refused(path, "is not known; \(advice)") }
    return refused(
      path,
      names.isEmpty ? "is not known" : "is not known; known are \(names.joined(separator: ", "))"
    )
  }
}
