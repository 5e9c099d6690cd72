import PushPayload

extension APIError {
  /// A 422 for a name that is not known, with the one that it most likely means.
  ///
  /// `names` are the known ones. `outer` is the object around with the names that it knows, since a
  /// member may stand one level too deep.
  static func unknown(
    _ path: String, _ name: String, knows names: Set<String>,
    outer: (path: String, names: Set<String>)? = nil
  ) -> APIError {
    if let outer, outer.names.contains(name) {
      return refused(path, "is not known here; it is a member of \(outer.path)")
    }
    let names = names.sorted()
    if let near = NearestName.find(name, among: names) {
      return refused(path, "is not known; did you mean \(near)?")
    }
    return refused(
      path,
      names.isEmpty ? "is not known" : "is not known; known are \(names.joined(separator: ", "))"
    )
  }
}
