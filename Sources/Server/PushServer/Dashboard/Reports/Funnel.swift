import Markup

/// The way of devices in one row: targeted, accepted, displayed, opened; and their conversions.
struct Funnel {
  struct Step {
    /// The name of the count in the events of a send, by which a script updates it; `nil` if it is not updated.
    var name: String?
    var title: String
    var count: Int
    /// What stands below the count, such as its change.
    var note: HTML?
    /// Whether devices are counted, so that the count is a share of the first step.
    var isOfDevices = true
  }

  var steps: [Step]

  var html: HTML {
    let all = steps.first?.count ?? 0
    let items = steps.enumerated().map { place, step -> HTML in
      let rate = Double(step.count) / Double(max(1, all))
      let hasShare = place > 0 && all > 0 && step.isOfDevices
      return """
        <div><dt>\(step.title)</dt><dd><span\(step.name.map { " data-count=\"\($0)\"" as HTML })>\(.count(step.count))</span>\
        \(hasShare ? " <small>\(.percent(rate))</small>" as HTML : nil)\(step.note)</dd></div>
        """
    }
    return "<dl class=\"counts funnel\">\(items)</dl>"
  }

  /// The step of the conversions, of which one device may have any number.
  static func conversions(_ conversions: [String: Int]) -> Step {
    let (count, note) = words(conversions)
    return Step(title: "Conversions", count: count, note: note, isOfDevices: false)
  }

  /// The events that count as conversions, in words: the most frequent one and the number of the others.
  static func words(_ conversions: [String: Int]) -> (count: Int, note: HTML?) {
    let sorted = conversions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard let first = sorted.first else { return (0, nil) }
    let others = sorted.count - 1
    let more: HTML? =
      others == 0 ? nil : ", and \(others) more \(others == 1 ? "event" : "events")"
    return (first.value, "<small class=\"note-line\">“\(first.key)”\(more)</small>")
  }
}

/// A count beside that of the period before.
struct Change {
  var now: Int
  var before: Int

  /// The change in percent: “+12.5 % from 900”; `nil` if the period before has nothing to compare with.
  var html: HTML? {
    guard before > 0 else { return nil }
    let rate = Double(now - before) / Double(before)
    guard now != before else { return "<small class=\"note-line\">as before</small>" }
    return """
      <small class="note-line">\("+", if: now > before)\(.percent(rate)) from \(.count(before))</small>
      """
  }
}
