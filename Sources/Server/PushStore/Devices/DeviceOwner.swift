/// Who may act for a device: anyone with the app's device key, or only who knows its own secret.
package struct DeviceOwner: Hashable, Sendable {
  /// The SHA-256 of the device's own secret; `nil` until the app has shown one.
  package var secretHash: [UInt8]?
  package var isErased: Bool

  package init(secretHash: [UInt8]?, isErased: Bool) {
    self.secretHash = secretHash
    self.isErased = isErased
  }

  /// Whether a caller with a device key may act for the device, by the hash of the secret that it
  /// showed.
  ///
  /// Before the device has a secret everyone may.
  package func admits(_ hash: [UInt8]?) -> Bool { secretHash == nil || isProven(by: hash) }

  /// Whether a hash is that of the device's secret, compared in constant time.
  package func isProven(by hash: [UInt8]?) -> Bool {
    guard let secretHash, let hash, secretHash.count == hash.count else { return false }
    return zip(secretHash, hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Who updates a device.
package enum DeviceCaller: Hashable, Sendable {
  /// The app's own server, which may set everything.
  case server
  /// An app with its device key, which is public.
  ///
  /// `secretHash` is the SHA-256 of the device's own secret, where the app showed one; the first
  /// one is stored. `deviceLimit` is the number of devices from which on no new one is made.
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
  /// Once there are keys for encrypted payloads, a caller without the device's secret keeps them:
  /// with others it would read the pushes, and without them they would be sent in the clear.
  package func allowed(to caller: DeviceCaller, on device: Device) -> DevicePatch {
    guard case .app(nil, _) = caller, device.publicKey != nil else { return self }
    var patch = self
    patch.publicKey = .keep
    patch.authSecret = .keep
    return patch
  }
}
