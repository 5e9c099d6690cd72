import PushModel

/// A recipient as some columns of a row of `devices`.
extension Recipient {
  static let columns: SQL = """
    key, id, platform, user_id, user_email, locale, time_zone, app_version, os_version, badge, tags,
    attributes, public_key, auth_secret
    """

  /// Reads a row of ``columns``.
  init(row: inout SQLRow) throws {
    self.init(
      number: DeviceKeys.number(of: try row.integer("key")), id: try row.text("id"),
      platform: try row.text("platform"))
    userID = try row.optionalText("user_id")
    userEmail = try row.optionalText("user_email")
    locale = try row.optionalText("locale")
    timeZone = try row.optionalText("time_zone")
    appVersion = try row.optionalText("app_version")
    osVersion = try row.optionalText("os_version")
    badge = try row.optionalInteger("badge")
    tags = try row.tags("tags")
    attributes = try row.attributes("attributes")
    publicKey = try row.optionalText("public_key")
    authSecret = try row.optionalText("auth_secret")
  }
}
