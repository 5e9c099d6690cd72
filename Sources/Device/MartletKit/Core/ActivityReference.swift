import PushPayload

/// A reference from a Live Activity to the activity at the server.
///
/// A server that starts an activity puts this into its attributes, as the member `martlet`. An activity that the app starts
/// itself carries one with an identifier of the app's choice, such as the number of an order:
///
/// ```swift
/// let reference = try ActivityReference("order-7")
/// ```
public struct ActivityReference: Codable, Hashable, Sendable {
  /// The activity's identifier at the server.
  public let activityID: String

  private enum CodingKeys: String, CodingKey { case activityID = "activity_id" }

  /// Creates a reference.
  ///
  /// - Parameter activityID: The identifier, 1 to 64 letters, digits, `-`, `_` and `.`, not beginning with a dot. Activities on
  ///   several devices may share one, such as those of all who follow a match; on one device each running activity has its own.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` if the identifier has another form.
  public init(_ activityID: String) throws(PushError) {
    guard ActivityID.isValid(activityID) else {
      throw PushError(
        .invalid,
        "an activity's identifier must be \(ActivityID.form)")
    }
    self.activityID = activityID
  }
}
