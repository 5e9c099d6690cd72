extension Dialect.ID {
  /// Countly: `c`.
  public static let countly = Self(rawValue: "countly")
}

extension Dialect {
  /// Countly: one URL, buttons, and a link.
  public static let countly = Dialect(.countly, signature: ["c.i"], media: ["c.a"]) {
    $0.buttons = [
      ButtonRule("c.b[]", title: ["t"], url: ["l"]) {
        $0.numbering = "CountlyActionIdentifier"
        $0.firstNumber = 1
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = ["c.l"]
    $0.messageID = ["c.i"]
  }
}
