import PushPayload

/// How an uploaded file of devices is read.
struct ImportSettings: Hashable, Sendable {
  enum FileForm: String, CaseIterable, Sendable {
    case csv
    case lines = "ndjson"
    case oneSignal = "onesignal"
    case airship

    /// The service whose export the file is; `nil` if it is no export.
    var vendor: VendorExport.Vendor? { VendorExport.Vendor(rawValue: rawValue) }
  }

  var form: FileForm
  /// What the columns of a CSV file are.
  var mapping: ColumnMapping?

  /// The reason for which the file cannot be read so; `nil` if it can be tried.
  var problem: String? { form == .csv ? mapping?.problem : nil }

  var json: JSONValue {
    ["form": .string(form.rawValue), "mapping": mapping?.json ?? .null]
  }

  init(form: FileForm, mapping: ColumnMapping? = nil) {
    (self.form, self.mapping) = (form, mapping)
  }

  /// Reads the stored form; `nil` if it is not understood.
  init?(json: JSONValue) {
    guard let members = json.object, Set(members.keys).isSubset(of: ["form", "mapping"]),
      let form = members["form"]?.string.flatMap(FileForm.init)
    else { return nil }
    self.form = form
    guard let stored = members["mapping"], !stored.isNull else { return }
    guard let mapping = ColumnMapping(json: stored) else { return nil }
    self.mapping = mapping
  }

  /// The settings that the first bytes of a file suggest.
  init(suggestedFor start: [UInt8]) {
    let text = start.drop { [0xef, 0xbb, 0xbf, 0x20, 0x0a, 0x0d].contains($0) }
    if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
      let isAirship = text.firstRange(of: Array("\"channel".utf8)) != nil
      self.init(form: isAirship ? .airship : .lines)
      return
    }
    let separator = ColumnMapping.Separator(inFirstLineOf: text)
    let header = ImportSample.header(of: start, separator: separator)
    let isOneSignal = Set(header).isSuperset(of: ["identifier", "device_type"])
    self.init(form: isOneSignal ? .oneSignal : .csv)
    if form == .csv {
      mapping = ColumnMapping(suggestedFor: header)
      mapping?.separator = separator
    }
  }
}

extension ColumnMapping.Separator {
  /// The separator that is the most frequent in the first line of a file; a comma if none is there.
  init(inFirstLineOf text: ArraySlice<UInt8>) {
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let counts = Self.allCases.map { separator in
      (separator, line.count { $0 == separator.byte })
    }
    self = counts.reduce((.comma, 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }
}
