import PushModel
import PushPayload

extension QuietHours {
  /// Reads `{"from": "22:00", "to": "08:00", "else": "wait"}`.
  init(_ field: BodyValue) throws(RequestError) {
    let to = try field.required("to")
    self.init(
      from: try Self.minute(try field.required("from")), to: try Self.minute(to),
      otherwise: try field["else"].map { value throws(RequestError) in
        Otherwise(rawValue: try value.word(of: Otherwise.allCases.map(\.rawValue))) ?? .wait
      } ?? .wait)
    guard from != self.to else {
      throw .refused(to.path, "must differ from from: the whole day cannot be quiet")
    }
  }

  private static func minute(_ field: BodyValue) throws(RequestError) -> Int {
    guard let match = try field.string().wholeMatch(of: /([01]\d|2[0-3]):([0-5]\d)/),
      let hour = Int(match.1), let minute = Int(match.2)
    else { throw .refused(field.path, "must be a time from 00:00 to 23:59") }
    return hour * 60 + minute
  }

  var json: JSONValue {
    [
      "from": .string(Self.clock(from)), "to": .string(Self.clock(to)),
      "else": .string(otherwise.rawValue),
    ]
  }

  /// A minute of the day as clocks show it: `08:05`.
  static func clock(_ minute: Int) -> String {
    [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
