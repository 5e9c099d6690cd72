extension Dialect.ID {
  /// OneSignal: `os_data`, and the older `custom` with `att`.
  public static let oneSignal = Self(rawValue: "onesignal")
}

extension Dialect {
  /// OneSignal: URLs, or names of bundled files, by identifier, in three generations of keys.
  ///
  /// The shortest keys (`m`, `at`, `o`) count only without an alert.
  public static let oneSignal = {
    let isNew = Signature.object("os_data")
    let isOld = Signature.absent("os_data")
    let isMinified = Signature.absent("aps.alert")
    let buttons = { (item: PayloadPath, condition: Signature) in
      ButtonRule(
        item, identifier: ["i", "n"], title: ["n"], iconName: "path", iconType: "icon_type"
      ) {
        $0.reversesTwo = true
        $0.condition = condition
      }
    }
    return Dialect(
      .oneSignal, signature: ["os_data", "custom.i"],
      media: [
        MediaRule("os_data.att{}", if: isNew),
        MediaRule("os_data.buttons?.at{}", if: .all(isNew, isMinified)),
        MediaRule("att{}", if: isOld), MediaRule("at{}", if: .all(isOld, isMinified)),
      ]
    ) {
      $0.trimsURLs = true
      $0.sharedSignature = [.object("att"), .object("at")]
      $0.textCondition = isMinified
      $0.title = ["m?.title", "os_data.buttons?.m?.title"]
      $0.subtitle = ["m?.subtitle", "os_data.buttons?.m?.subtitle"]
      $0.body = ["m?", "m?.body", "os_data.buttons?.m?", "os_data.buttons?.m?.body"]
      $0.buttons = [
        buttons("os_data.buttons?.o[]", isNew), buttons("os_data.buttons[]", isNew),
        buttons("actionbuttons[]", isNew), buttons("buttons[]", isOld),
        buttons("o[]", .all(isOld, isMinified)),
      ]
      $0.deepLink = ["os_data.u", "custom.u"]
      $0.messageID = ["os_data.i", "custom.i"]
      $0.badge = [BadgeRule(.add, "os_data.badge_inc"), BadgeRule(.add, "custom.badge_inc")]
    }
  }()
}
