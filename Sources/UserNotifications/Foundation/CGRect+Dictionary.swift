public import Foundation

extension CGRect {
  /// The rectangle as Core Graphics writes it into a dictionary: `X`, `Y`, `Width`, `Height`.
  ///
  /// The value of ``UNNotificationAttachmentOptionsThumbnailClippingRectKey``.
  public var dictionaryRepresentation: NSDictionary {
    [
      "X": NSNumber(value: Double(origin.x)), "Y": NSNumber(value: Double(origin.y)),
      "Width": NSNumber(value: Double(width)), "Height": NSNumber(value: Double(height)),
    ]
  }

  /// Reads such a dictionary; `nil` where a member is missing or is no number.
  ///
  /// - Parameter dict: The dictionary.
  public init?(dictionaryRepresentation dict: NSDictionary) {
    let members = ["X", "Y", "Width", "Height"].compactMap { (dict[$0] as? NSNumber)?.doubleValue }
    guard members.count == 4 else { return nil }
    self.init(x: members[0], y: members[1], width: members[2], height: members[3])
  }
}
