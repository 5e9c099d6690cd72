extension Actor {
  /// Admits a device key by its claim on a device, and anybody else by a permission.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the device has another secret, or if the actor lacks the permission;
  ///   `what` is the action, such as "change a device".
  func requireDevice(
    _ id: String, by claim: DeviceClaim?, or permission: Permission, to what: String
  ) throws(RequestError) {
    guard let claim else { return try require(permission, to: what) }
    try claim.checkActs(for: id)
  }

  /// Admits a device that shows its secret, and anybody else by a permission.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the claim does not show the device's secret, or if the actor lacks the
  ///   permission.
  func requireOwner(
    of id: String, by claim: DeviceClaim?, or permission: Permission, to what: String
  ) throws(RequestError) {
    guard let claim else { return try require(permission, to: what) }
    try claim.checkOwns(id)
  }
}
