import PushModel

extension PushStore {
  /// The audience of an app that a request names by its id, at a path.
  ///
  /// - Throws: ``RequestError`` `.notFound` if it does not exist, with the id of the audience that has the text as its
  ///   name; `.damaged` if it cannot be read.
  func requiredAudience(_ id: String, app: String, at path: String) async throws -> Audience {
    do throws(StoreError) {
      if let audience = try await audience(id, app: app) { return audience }
    } catch {
      guard error.code == .damaged else { throw error }
      throw RequestError(.damaged, error.message, at: path)
    }
    let advice: String
    if ["all", "everyone", "everybody"].contains(id.lowercased()) {
      advice = "\"*\" is every device"
    } else if let named = try await audience(named: id, app: app) {
      advice = "the audience of this name has the id \(named.id)"
    } else {
      advice = "GET /v6/audiences lists their ids"
    }
    throw RequestError(.notFound, "\(path) names no audience of this app; \(advice)", at: path)
  }

  /// The newest audience with a name, regardless of case, among the newest 1,000.
  private func audience(named name: String, app: String) async throws -> AudienceName? {
    let name = name.lowercased()
    return try await audienceNames(app: app, limit: 1000).first { $0.name?.lowercased() == name }
  }
}
