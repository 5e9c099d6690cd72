/// What a payload may depend on, as some columns of `devices`.
extension Recipient {
  static let columns = """
    key, id, user_id, user_email, platform, locale, time_zone, app_version, os_version, badge, tags,
    attributes, public_key, auth_secret
    """

  /// - Parameter row: ``columns``, from the first column on.
  init(row: any SQLRow) {
    self.init(
      number: DeviceKeys.number(of: row.integer(0)), id: row.text(1), platform: row.text(4))
    userID = row.optionalText(2)
    userEmail = row.optionalText(3)
    locale = row.optionalText(5)
    timeZone = row.optionalText(6)
    appVersion = row.optionalText(7)
    osVersion = row.optionalText(8)
    badge = row.optionalInteger(9)
    tags = row.tags(10)
    attributes = row.attributes(11)
    publicKey = row.optionalText(12)
    authSecret = row.optionalText(13)
  }
}
