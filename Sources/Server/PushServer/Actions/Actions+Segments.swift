import PushStore

extension Actions {
  /// The parts of a send, each due at the best time of its devices, counted from the send's creation.
  func bestTimeSegments(
    of send: Send, to devices: DeviceNumbers, quiet: QuietHours?
  ) async throws -> [Segment] {
    let time = try await BestTime(of: devices, app: send.app, from: send.createdAt, store)
    var segments: [Segment] = []
    for group in time.groups {
      var part = send
      part.scheduledAt = group.dueAt
      segments += try await self.segments(of: part, to: group.devices, quiet: quiet)
    }
    return segments.sorted { $0.dueAt < $1.dueAt }
  }
}
