import PushModel
import PushPayload

extension FrequencyCap {
  /// Reads the rules of an app: `[{"most": 3, "within": "P7D"}]`.
  static func rules(_ field: BodyValue) throws(RequestError) -> [FrequencyCap] {
    let elements = try field.elements()
    guard elements.count <= ruleLimit else {
      throw .refused(field.path, "must have at most \(ruleLimit) rules")
    }
    var rules: [FrequencyCap] = []
    for element in elements {
      let most = try element.required("most").integer(in: 1...Int64(mostLimit))
      let within = try element.required("within")
      let rule = FrequencyCap(most: Int(most), within: try within.duration())
      guard !rules.contains(where: { $0.within == rule.within }) else {
        throw .refused(within.path, "is the time of two rules")
      }
      rules.append(rule)
    }
    return rules
  }

  var json: JSONValue { ["most": .integer(Int64(most)), "within": .string(withinText)] }
}
