extension APS {
  /// Reads the dictionary leniently: a value of a wrong type is reported and kept in ``unknown``.
  init(_ object: [String: JSONValue], findings: inout [PayloadFinding]) {
    var reader = ObjectReader(object, at: "$.aps")
    if let text = object["alert"]?.string {
      alert = Alert(body: text)
      _ = reader.string("alert")
    } else if let members = reader.value(
      "alert", expected: "a string or an object", read: \.object)
    {
      var inner: [PayloadFinding] = []
      alert = Alert(members, at: "$.aps.alert", findings: &inner)
      reader.add(inner)
    }
    badge = reader.value("badge", expected: "a whole number from 0") { value in
      value.integer.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }
    sound = reader.value("sound", expected: "a string or an object", read: Sound.init)
    threadID = reader.string("thread-id")
    category = reader.string("category")
    contentAvailable = reader.flag("content-available")
    mutableContent = reader.flag("mutable-content")
    targetContentID = reader.string("target-content-id")
    interruptionLevel = reader.string("interruption-level").map(InterruptionLevel.init)
    relevanceScore = reader.value("relevance-score", expected: "a number", read: \.number)
    filterCriteria = reader.string("filter-criteria")
    liveActivity = LiveActivity(&reader)
    contentChanged = reader.value("content-changed", expected: "true", read: \.bool) ?? false
    unknown = reader.rest
    findings += reader.findings
  }

  var json: [String: JSONValue] {
    var object = unknown
    object["alert"] = alert?.json ?? object["alert"]
    object["badge"] = badge.map { .integer(Int64($0)) } ?? object["badge"]
    object["sound"] = sound?.json ?? object["sound"]
    object["thread-id"] = threadID.map(JSONValue.string) ?? object["thread-id"]
    object["category"] = category.map(JSONValue.string) ?? object["category"]
    if contentAvailable { object["content-available"] = 1 }
    if mutableContent { object["mutable-content"] = 1 }
    object["target-content-id"] =
      targetContentID.map(JSONValue.string) ?? object["target-content-id"]
    object["interruption-level"] =
      (interruptionLevel?.rawValue).map(JSONValue.string) ?? object["interruption-level"]
    object["relevance-score"] = relevanceScore.map(JSONValue.number) ?? object["relevance-score"]
    object["filter-criteria"] = filterCriteria.map(JSONValue.string) ?? object["filter-criteria"]
    liveActivity?.write(to: &object)
    if contentChanged { object["content-changed"] = true }
    return object
  }
}

extension APS.Sound {
  init?(_ value: JSONValue) {
    if let name = value.string {
      self.init(name)
    } else if let object = value.object {
      var reader = ObjectReader(object, at: "sound")
      let name = reader.string("name")
      let isCritical = reader.flag("critical")
      let volume = reader.value("volume", expected: "a number", read: \.number)
      guard reader.rest.isEmpty else { return nil }
      self.init(name ?? "default", isCritical: isCritical, volume: volume)
    } else {
      return nil
    }
  }

  var json: JSONValue {
    guard isCritical || volume != nil else { return .string(name) }
    var object: [String: JSONValue] = ["name": .string(name)]
    if isCritical { object["critical"] = 1 }
    object["volume"] = volume.map(JSONValue.number)
    return .object(object)
  }
}
