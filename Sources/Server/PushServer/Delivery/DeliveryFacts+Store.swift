import PushModel

extension DeliveryFacts {
  /// Finds the in-app message of a run that is for the device.
  mutating func findMessage(
    among messages: [PublishedMessage], _ store: any PushStore
  ) async throws(StoreError) {
    for published in messages {
      let message = published.message
      let devices = try await store.devices(ofMessage: message.id, app: message.app)
      if devices.contains(device.number) { self.message = message }
    }
  }

  /// Finds the last of some sends that targets the device, with its outcome, or else the device's group in the run.
  ///
  /// `deliveries` is what became of the sends on the device.
  mutating func findSend(
    among sends: [Send], _ deliveries: [DeviceDelivery], _ store: any PushStore
  ) async throws(StoreError) {
    if let app = sends.first?.app ?? run?.app {
      let own = Set(sends.map(\.id))
      pushes = try await store.pushes(to: device.number, app: app)
        .filter { !own.contains($0.send) }.map(\.time)
    }
    var ended: Send?
    for send in sends.reversed() {
      let delivery = deliveries.first { $0.send == send.id }
      // The list of the selected devices may be large, and is read only if nothing else tells.
      let isTargeted =
        try await delivery?.outcome != nil
        ? true : store.isTargeted(device.number, by: send.id, app: send.app)
      switch isTargeted {
      case nil:
        isStored = false
        if send.endedUnsent { ended = send }
      case false?: continue
      case true?:
        (self.send, isStored) = (send, true)
        outcome = delivery?.outcome
        if outcome == nil {
          waiting = try await store.waitingPush(
            to: device.number, of: send.id, app: send.app)
        }
        receipts = delivery?.receipts ?? []
        return
      }
    }
    if let run { group = try await store.group(of: device.number, in: run) }
    if group == nil { send = ended }
  }
}

extension Send {
  /// Whether the send has ended before a push of it was sent, so that its devices need not be known to explain it.
  fileprivate var endedUnsent: Bool {
    state.isOver && counts.targeted > 0 && counts.left == counts.targeted
  }
}

extension PushStore {
  /// The group of a run that a device is in; `nil` if it is in none.
  fileprivate func group(
    of device: UInt32, in run: CampaignRun
  ) async throws(StoreError) -> CampaignRun.Group? {
    for group in CampaignRun.Group.allCases {
      let devices = try await devices(group, ofRun: run.id, app: run.app)
      if devices.contains(device) { return group }
    }
    return nil
  }
}
