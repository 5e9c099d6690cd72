import PushModel
import _HTTPServer

extension Route {
  /// The place in a request that names the devices that it acts for.
  enum Devices: Sendable {
    /// The route acts for no device, or only with keys that may act for all.
    case none
    /// In the path, as `:device_id`.
    case path
    /// In the body, by ids that the closure reads like the handler.
    case body(@Sendable (BodyValue) -> [String])
  }
}

extension Router {
  /// Checks that a device key acts only for devices that it may act for.
  ///
  /// Every request with a device key passes here before its handler. The routes of a device's owner always need the
  /// device's secret.
  ///
  /// - Returns: The claim; `nil` if the key is not a device key.
  /// - Throws: ``RequestError`` `.forbidden` if a device has another secret, `.invalid` if the header is not a secret.
  func claim(of call: inout KeyedRequest, on route: Route) async throws -> DeviceClaim? {
    guard call.key.role == .device else { return nil }
    let hash = try DeviceClaim.hash(ofSecret: call.request.header(DeviceClaim.secretHeader))
    let ids: Set<String>
    switch route.devices {
    case .none: ids = []
    case .path: ids = [call.parameter("device_id")]
    case .body(let read):
      let body = try call.json()
      call.body = body
      ids = Set(read(body))
    }
    let claim = DeviceClaim(
      secretHash: hash, userToken: call.request.header(UserProof.header), ids: ids,
      known: try await store.owners(of: Array(ids), app: call.app()))
    for id in ids {
      if case .ownDevice? = route.access {
        try claim.checkOwns(id)
      } else {
        try claim.checkActs(for: id)
      }
    }
    return claim
  }
}
