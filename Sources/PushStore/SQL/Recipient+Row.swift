/// A recipient as some columns of a row of `devices`.
extension Recipient {
  static let columns = """
    key, id, platform, user_id, user_email, locale, time_zone, app_version, os_version, badge, tags,
    attributes, public_key, auth_secret
    """

  /// Reads a row of ``columns``.
  init(row: inout SQLRow) {
    self.init(
      number: DeviceKeys.number(of: row.integer("key")), id: row.text("id"),
      platform: row.text("platform"))
    userID = row.optionalText("user_id")
    userEmail = row.optionalText("user_email")
    locale = row.optionalText("locale")
    timeZone = row.optionalText("time_zone")
    appVersion = row.optionalText("app_version")
    osVersion = row.optionalText("os_version")
    badge = row.optionalInteger("badge")
    tags = row.tags("tags")
    attributes = row.attributes("attributes")
    publicKey = row.optionalText("public_key")
    authSecret = row.optionalText("auth_secret")
  }
}
