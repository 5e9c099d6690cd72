import PushPayload

/// The choice of what each column of a CSV file is, in place of the names in its first line.
struct ColumnMapping: Hashable, Sendable {
  /// What each column is, in the order of the file; `nil` for a column that is not imported.
  var columns: [ImportColumn?]
  /// The character between two columns.
  var separator = Separator.comma
  /// The platform of every row if no column has it, as `os_name` has it.
  var platform: String?

  /// A character between the columns of a file.
  enum Separator: String, CaseIterable, Sendable {
    case comma = ","
    case semicolon = ";"
    case tab = "\t"

    var byte: UInt8 {
      switch self {
      case .comma: UInt8(ascii: ",")
      case .semicolon: UInt8(ascii: ";")
      case .tab: UInt8(ascii: "\t")
      }
    }
  }

  /// The reason for which the choice cannot be used; `nil` if it can.
  var problem: String? {
    var names: Set<String> = []
    for column in columns.compactMap(\.self) where !names.insert(column.name).inserted {
      return "Two columns are imported as \(column.name). Choose another value for one of them."
    }
    if !names.contains(ImportColumn.token.name) {
      return "Choose the column with the push tokens. Without tokens no device can be imported."
    }
    if platform == nil, !names.contains(ImportColumn.osName.name) {
      return "Choose the column with the platform, or one platform for all rows."
    }
    return nil
  }

  var json: JSONValue {
    [
      "columns": .array(columns.map { .optional($0?.name) }), "platform": .optional(platform),
      "separator": .string(separator.rawValue),
    ]
  }

  private static let members: Set = ["columns", "platform", "separator"]

  init(columns: [ImportColumn?], platform: String?, separator: Separator = .comma) {
    (self.columns, self.platform, self.separator) = (columns, platform, separator)
  }

  /// Reads the stored form; `nil` if it has an unknown member or column.
  init?(json: JSONValue) {
    guard let members = json.object, Set(members.keys).isSubset(of: Self.members),
      members["platform"].map({ $0.isNull || $0.string != nil }) ?? true,
      let names = members["columns"]?.array,
      let separator = members["separator"]?.string.flatMap(Separator.init)
    else { return nil }
    self.separator = separator
    columns = []
    for name in names {
      if name.isNull {
        columns.append(nil)
      } else {
        guard let name = name.string, let column = ImportColumn(name: name) else { return nil }
        columns.append(column)
      }
    }
    platform = members["platform"]?.string
  }
}

extension ColumnMapping {
  /// The choice that the names of a file's columns suggest.
  ///
  /// The names of other services' exports are compared in lowercase without spaces and punctuation. A column with
  /// another name is not imported unless somebody chooses so, because its values may be personal.
  init(suggestedFor header: [String]) {
    var taken: Set<String> = []
    columns = header.map { name in
      guard let column = ImportColumn(suggestedBy: name), taken.insert(column.name).inserted else {
        return nil
      }
      return column
    }
    platform = taken.contains(ImportColumn.osName.name) ? nil : "iOS"
  }
}

extension ImportColumn {
  /// The names that exports give a column, without spaces and punctuation.
  private static let aliases: [(column: ImportColumn, names: Set<String>)] = [
    (
      .token,
      [
        "token", "pushtoken", "devicetoken", "apnstoken", "apnsdevicetoken", "iostoken",
        "pushaddress",
        "iospushtoken", "registrationtoken", "tokenvalue", "devicepushtoken",
      ]
    ),
    (.osName, ["osname", "platform", "os", "devicetype", "deviceos", "deviceplatform"]),
    (
      .userID,
      [
        "userid", "externaluserid", "externalid", "nameduserid", "nameduser", "customerid",
        "userkey",
        "profileid", "sailthruid",
      ]
    ),
    (.userEmail, ["useremail", "email", "emailaddress", "mail"]),
    (.id, ["id", "deviceid", "hardwareid", "installationid"]),
    (.locale, ["locale", "language", "lang", "devicelocale"]),
    (.timeZone, ["timezone", "timezoneid", "tz", "devicetimezone"]),
    (.tags, ["tags", "tag", "segments"]),
    (
      .pushEnabled,
      ["pushenabled", "optin", "optedin", "subscribed", "pushoptin", "notificationsenabled"]
    ),
    (.location, ["location", "latlng", "latlong", "coordinates"]),
  ]

  /// The column that a name suggests; `nil` if it suggests none.
  init?(suggestedBy name: String) {
    if let column = ImportColumn(name: name) {
      self = column
      return
    }
    let letters = String(name.lowercased().unicodeScalars.filter(\.properties.isAlphabetic))
    guard let known = Self.aliases.first(where: { $0.names.contains(letters) }) else { return nil }
    self = known.column
  }
}
