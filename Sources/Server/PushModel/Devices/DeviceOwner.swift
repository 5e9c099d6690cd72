/// The permission to act for a device: for anyone with the app's device key, or only with the device's own secret.
package struct DeviceOwner: Hashable, Sendable {
  /// The SHA-256 of the device's own secret; `nil` if the app has not shown a secret yet.
  package var secretHash: [UInt8]?
  package var isErased: Bool

  package init(secretHash: [UInt8]?, isErased: Bool) {
    self.secretHash = secretHash
    self.isErased = isErased
  }

  /// Whether a caller with a device key, and the hash of the secret that it showed, may act for the device.
  ///
  /// Anyone may, if the device has no secret yet.
  package func admits(_ hash: [UInt8]?) -> Bool { secretHash == nil || isProven(by: hash) }

  /// Whether a hash is the hash of the device's secret, compared in constant time.
  package func isProven(by hash: [UInt8]?) -> Bool {
    guard let secretHash, let hash, secretHash.count == hash.count else { return false }
    return zip(secretHash, hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The caller that updates a device.
package enum DeviceCaller: Hashable, Sendable {
  /// The app's own server, which may set everything.
  case server
  /// An app with its device key, which is public.
  ///
  /// `secretHash` is the SHA-256 of the device's own secret, if the app showed one. The first such hash is stored.
  /// With `deviceLimit` devices, an app gets no new ones.
  case app(secretHash: [UInt8]?, deviceLimit: Int)
}

extension Device {
  package var owner: DeviceOwner {
    DeviceOwner(secretHash: secretHash, isErased: erasedAt != nil)
  }
}

extension DevicePatch {
  /// The part of the patch that a caller may apply to a device.
  ///
  /// A caller without the device's secret cannot change existing keys for encrypted payloads. With its own keys it
  /// could read the pushes, and without keys they would be sent in the clear.
  package func allowed(to caller: DeviceCaller, on device: Device) -> DevicePatch {
    guard case .app(nil, _) = caller, device.publicKey != nil else { return self }
    var patch = self
    patch.publicKey = .keep
    patch.authSecret = .keep
    return patch
  }
}
