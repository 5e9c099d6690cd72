extension Dialect.ID {
  /// Mixpanel: `mp_media_url`.
  public static let mixpanel = Self(rawValue: "mixpanel")
}

extension Dialect {
  /// Mixpanel, whose push service has ended: one URL, buttons, and a link.
  public static let mixpanel = Dialect(
    .mixpanel, signature: ["mp", "mp_media_url", "mp_buttons", "mp_ontap"], media: ["mp_media_url"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.buttons = [
      ButtonRule("mp_buttons[]", title: ["lbl"], url: ["ontap.uri"]) {
        $0.numbering = "MP_ACTION_"
        $0.countsSkipped = true
        $0.actionPath = "ontap.type"
        $0.actions = ["browser": .init(opensURL: true), "deeplink": .init(opensURL: true)]
      }
    ]
    $0.deepLink = [
      LinkRule(
        "mp_ontap.uri",
        if: .any(.equals("mp_ontap.type", "browser"), .equals("mp_ontap.type", "deeplink")))
    ]
  }
}
