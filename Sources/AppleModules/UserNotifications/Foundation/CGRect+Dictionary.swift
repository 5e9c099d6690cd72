public import Foundation

extension CGRect {
  /// The rectangle as a dictionary with the keys `X`, `Y`, `Width` and `Height`.
  ///
  /// It is a value for ``UNNotificationAttachmentOptionsThumbnailClippingRectKey``.
  public var dictionaryRepresentation: NSDictionary {
    [
      "X": NSNumber(value: Double(origin.x)), "Y": NSNumber(value: Double(origin.y)),
      "Width": NSNumber(value: Double(width)), "Height": NSNumber(value: Double(height)),
    ]
  }

  /// Creates a rectangle from a dictionary; `nil` if a key is missing or not a number.
  ///
  /// - Parameter dict: The dictionary.
  public init?(dictionaryRepresentation dict: NSDictionary) {
    let members = ["X", "Y", "Width", "Height"].compactMap { (dict[$0] as? NSNumber)?.doubleValue }
    guard members.count == 4 else { return nil }
    self.init(x: members[0], y: members[1], width: members[2], height: members[3])
  }
}
