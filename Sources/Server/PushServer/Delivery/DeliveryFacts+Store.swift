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
  mutating func findSend(
    among sends: [Send], _ store: any PushStore
  ) async throws(StoreError) {
    if let app = sends.first?.app ?? run?.app {
      let own = Set(sends.map(\.id))
      caps = try await store.limits(app: app).caps
      pushes = try await store.pushes(to: device.number, app: app)
        .filter { !own.contains($0.send) }.map(\.time)
    }
    for send in sends.reversed() {
      switch try await store.isTargeted(device.number, by: send.id, app: send.app) {
      case nil: isStored = false
      case false?: continue
      case true?:
        self.send = send
        outcome = try await store.outcome(of: send.id, app: send.app, device: device.number)
        if outcome == nil {
          waiting = try await store.waitingPush(
            to: device.number, of: send.id, app: send.app)
        }
        receipt = try await store.receipts(of: send.id, device: device, app: send.app).last
        return
      }
    }
    guard let run else { return }
    for group in CampaignRun.Group.allCases {
      let devices = try await store.devices(group, ofRun: run.id, app: run.app)
      if devices.contains(device.number) {
        self.group = group
        return
      }
    }
  }
}
