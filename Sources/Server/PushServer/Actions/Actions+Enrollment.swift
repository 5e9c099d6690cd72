import PushModel
import PushPayload

extension Actions {
  /// The largest number of devices that are enrolled with one request.
  private static let enrollmentLimit = 10_000

  /// Enrolls people in a live campaign, as its event does.
  ///
  /// - Parameters:
  ///   - id: The id of the campaign.
  ///   - field: The `to` of a request.
  ///   - data: The data that the campaign's texts read, as those of its event.
  ///   - key: The key by which a repeat of the request is recognized.
  ///   - actor: Who enrolls them.
  /// - Returns: The number of people who are enrolled.
  /// - Throws: ``RequestError`` `.invalid` if the target has too many devices, or if the key was used for another request.
  func enrollPeople(
    inCampaign id: String, to field: BodyValue, data: JSONValue?, repeating key: IdempotencyKey?,
    by actor: Actor
  ) async throws -> Int {
    try actor.require(.send, to: "enroll people in a campaign")
    let (campaign, now) = (try await campaign(id, app: try actor.ownApp()), clock.now())
    let audience = try await Target(field).audience(app: campaign.app, at: now, store)
    let devices = try await audiences.members(of: audience, at: now)
    guard devices.count <= Self.enrollmentLimit else {
      throw RequestError.refused(
        field.path,
        "has \(devices.count) devices, and at most \(Self.enrollmentLimit) are enrolled with one"
          + " request; a campaign that is sent once reaches more")
    }
    var request = EnrollmentCall(
      campaign: campaign.id, app: campaign.app, devices: devices, data: data)
    request.key = key?.text
    request.fingerprint = key?.fingerprint ?? []
    let recording = store(for: actor, "campaign.trigger", campaign.id)
    guard let answer = try await recording.enroll(request, at: now) else {
      throw RequestError.notFound("campaign with this id")
    }
    if let key, key.fingerprint != answer.fingerprint { throw IdempotencyKey.reused }
    return answer.enrolled
  }
}
