import Markup
import PushModel

/// The variants of a campaign that publishes in-app messages.
extension CampaignReport {
  var messageVariants: HTML {
    let deliveries = results.deliveries
    let openings = plan.variants.map { deliveries.opens(of: $0.key) }
    let top = openings.filter { $0.trials > 0 }.map(\.interval.upperBound).max() ?? 1
    let rows = zip(plan.variants, openings).map { variant, opens -> HTML in
      let targeted = deliveries.targeted(by: variant.key)
      let listed = deliveries.seen(.stream, of: variant.key)
      return """
        <tr><th scope="row">\(variant.title)\(chosen(variant))\
        <div class="phone">\(.count(targeted)) devices · \(.count(listed)) listed · \
        \(.count(opens.successes)) opened</div></th>\
        <td class="number wide">\(.count(targeted))</td><td class="number wide">\(.count(listed))</td>\
        <td class="number wide">\(.count(deliveries.seen(.inApp, of: variant.key)))</td>\
        <td class="number wide">\(.count(opens.successes))</td>\
        <td>\(opens.rateWithInterval)\(Self.bar(opens, upTo: top))</td>\
        <td class="wide">\(links(of: variant))</td></tr>

        """
    }
    let left = report.groups[.control] ?? 0
    let control: HTML? =
      plan.control == 0
      ? nil
      : """
      <tr><th scope="row">Control<div class="phone">\(left) devices</div></th>\
      <td class="number wide">\(left)</td><td class="wide" colspan="3"></td><td>gets nothing</td>\
      <td class="wide"></td></tr>
      """
    let table: HTML = """
      <table class="list"><caption>Openings of each variant\(plan.test == nil ? "" : ", of the test and the rest together")</caption>
      <thead><tr><th scope="col">Variant</th>\
      <th scope="col" class="number wide">Devices</th><th scope="col" class="number wide">Listed</th>\
      <th scope="col" class="number wide">Shown over the app</th>\
      <th scope="col" class="number wide">Opened</th><th scope="col">Open rate</th>\
      <th scope="col" class="wide">Messages</th></tr></thead><tbody>\(rows)\(control)</tbody></table>
      """
    return .table("Variants", table)
  }

  /// Links to the messages of a variant; empty for a user who may not open them.
  private func links(of variant: CampaignPlan.Variant) -> [HTML] {
    guard request.mayOpen(.sends) else { return [] }
    return results.deliveries.messages(of: variant.key).map { published in
      let message = published.message
      let phase = phase(message.origin?.phase)
      return "<a href=\"\(MessagesPages.path(of: message, request))\">\(phase)</a> "
    }
  }

  /// The name of a phase in the report.
  func phase(_ phase: CampaignRun.Phase?) -> String {
    if phase == .test { return "test" }
    if plan.test != nil { return "rest" }
    return plan.isInApp ? "message" : "send"
  }

  /// The mark of the variant that was chosen for the rest; `nil` for any other variant.
  func chosen(_ variant: CampaignPlan.Variant) -> HTML? {
    report.decision?.variant == variant.key ? " <span class=\"tag good\">chosen</span>" : nil
  }
}
