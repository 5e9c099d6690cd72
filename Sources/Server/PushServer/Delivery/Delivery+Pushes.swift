import APNs

extension Delivery {
  /// The pushes to one of Apple's hosts; each has its addressee at the same index.
  struct Pushes {
    var notifications: [APNsNotification] = []
    /// The single push to a channel, in place of ``notifications``.
    var broadcast: APNsBroadcast?
    var addressees: [Addressee] = []
    /// Whether the other host did not know these devices' tokens.
    var isSecondTry = false

    var isEmpty: Bool { addressees.isEmpty }

    mutating func reserveCapacity(_ count: Int) {
      notifications.reserveCapacity(count)
      addressees.reserveCapacity(count)
    }

    mutating func append(_ push: consuming APNsNotification, _ addressee: Addressee) {
      notifications.append(push)
      addressees.append(addressee)
    }

    mutating func set(_ broadcast: APNsBroadcast, _ addressee: Addressee) {
      self.broadcast = broadcast
      addressees.append(addressee)
    }
  }

  struct Addressee {
    /// The index of the device in the batch's targets.
    var index: Int
    /// The badge that the push sets.
    var badge: Int64?
  }

  /// The pushes to both of Apple's hosts.
  typealias Hosts = (production: Pushes, development: Pushes)
}
