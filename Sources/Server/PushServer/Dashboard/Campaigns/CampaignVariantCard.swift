import Markup
import PushModel
import PushPayload

/// A variant as a phone shows it, with the texts of some devices.
struct CampaignVariantCard {
  var message: CampaignPlan.Message
  /// The path of the campaign's page.
  var path: String
  var version: Int
  var samples: [ComposeReview.Sample] = []
  /// The texts by language.
  var languages: HTML?
  var warnings: [HTML] = []
  /// An in-app message as inboxes show it, in place of the phone's card.
  var inbox: HTML?

  var html: HTML {
    guard let payload = message.variant.payload?.value else {
      return """
        <section class="card"><h3>\(message.title)</h3>\(inbox)\(life)</section>

        """
    }
    let texts = [payload["title"], payload["alert"]].compactMap {
      $0?.string ?? $0?[TextLocale.fallback]?.string
    }
    let picture =
      "\(path)/variants/\(message.variant.key)/card.png?step=\(message.step)&version=\(version)"
    let table = SampleTexts(
      samples: samples, hasSubtitle: payload["subtitle"] != nil, group: message.title)
    return """
      <section class="card"><h3>\(message.title)</h3>\
      \(message.variant.template.map { "<p class=\"muted\">Template \($0)</p>" as HTML })
      <picture><source media="(prefers-color-scheme: dark)" srcset="\(picture)&amp;dark=1">\
      <img class="shown" src="\(picture)" width="393" loading="lazy" \
      alt="\(message.title): \(texts.joined(separator: ". "))"></picture>
      \(warnings)\(languages)\(table.html)</section>

      """
  }

  private var life: HTML? {
    message.variant.message.map { own in
      "<p class=\"muted\">Inboxes show it for \(CampaignPeriod(own.life).words).</p>"
    }
  }
}
