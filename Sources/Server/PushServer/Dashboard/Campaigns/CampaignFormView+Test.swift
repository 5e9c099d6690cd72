import Markup
import PushModel
import PushPayload

/// The test of the variants, the control, and what is counted.
extension CampaignFormView {
  var test: HTML {
    """
    <div class="timed-only"><h3>Test and goals</h3>
    <fieldset class="switch"><legend class="hidden">\(CampaignForm.Field.mode.title)</legend>
    \(radio(.mode, "test", title: "Test on a sample first"))\
    \(radio(.mode, "all", title: "The variants to everyone at once"))</fieldset>
    \(fields.remarks(at: "mode"))</div>
    <div class="columns four">
    \(sampleFields)
    <div class="control">\(line(.control, type: "number", more: " min=\"0\" max=\"99\"", help: "Gets nothing"))</div>
    \(goals)
    </div>
    """
  }

  private var sampleFields: HTML {
    let units: [CampaignPeriod.Unit] = [.minutes, .hours, .days]
    return """
      <div class="test-only timed-only">\(line(.sample, type: "number", more: " min=\"1\" max=\"99\"",
        help: "Gets the variants first"))</div>
      <div class="test-only timed-only">\(menu(.metric, [("opens", "Openings"), ("conversions", "Conversions of goal 1")]))</div>
      <fieldset class="switch test-only timed-only"><legend>\(CampaignForm.Field.decide.title)</legend>
      \(radio(.decide, "clock", title: "The clock"))\(radio(.decide, "hand", title: "I decide"))</fieldset>
      <div class="test-only timed-only clock-only">\(period(
        .decideAfter, unit: .decideUnit, form.decideAfter, units: units, help: "Unopened, it waits for you"))</div>
      <div class="test-only timed-only clock-only">\(menu(.noWinner, [
        ("best", "Send the one with the highest rate"),
        ("default", "Send the first variant"), ("none", "Send nothing more"),
      ]))</div>
      """
  }

  /// The events that people shall do, which are counted for each variant and for the control.
  private var goals: [HTML] {
    form.goalRows.enumerated().map { row, goal -> HTML in
      func name(_ part: String) -> String { CampaignForm.goalName(row, part) }
      return """
        <div class="timed-only">\(fields.line(name("event"), "Goal \(row + 1): event",
          more: " list=\"events\" placeholder=\"bought\""))</div>
        <div class="timed-only">\(period(
          name("within"), "Goal \(row + 1): counts within", unit: name("unit"), period: goal.within,
          units: [.minutes, .hours, .days]))</div>

        """
    }
  }
}
