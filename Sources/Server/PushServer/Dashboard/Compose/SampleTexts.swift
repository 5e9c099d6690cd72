import Markup

/// A table of the texts that some devices of an audience show.
struct SampleTexts {
  var samples: [ComposeReview.Sample]
  var hasSubtitle: Bool
  /// The name of the devices' group, for the caption of the table.
  var group = "the audience"

  var html: HTML? {
    guard !samples.isEmpty else { return nil }
    let rows = samples.map { sample -> HTML in
      let texts: HTML =
        switch sample.texts {
        case .success(let texts):
          "<td>\(texts.title)</td>\(hasSubtitle ? "<td>\(texts.subtitle)</td>" : nil)<td>\(texts.body)</td>"
        case .failure(let error):
          "<td colspan=\"\(hasSubtitle ? 3 : 2)\">Cannot be composed: \(error.message)</td>"
        }
      return "<tr><th scope=\"row\">\(sample.device)</th>\(texts)</tr>\n"
    }
    let table: HTML = """
      <table class="texts"><caption>The texts of \(AudienceReach.devices(rows.count)) of \(group)</caption>
      <thead><tr><th scope="col">Device</th><th scope="col">Title</th>\
      \("<th scope=\"col\">Subtitle</th>", if: hasSubtitle)\
      <th scope="col">Body</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return .table("Texts of sample devices of \(group)", table)
  }
}

extension AudienceReach {
  static func devices(_ count: Int) -> String {
    "\(count) \(count == 1 ? "device" : "devices")"
  }

  /// The number of devices that a push reaches, and of those that it does not, by reason.
  var words: String {
    let missed = [
      (optedOut, "opted out"), (withoutToken, "without a push token"),
      (otherPlatform, "not on iOS"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let kinds = [
      (quiet, "delivered quietly"), (development, "in Apple's development environment"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let all = "\(reached) of \(Self.devices(targeted)) can receive pushes"
    return all + (kinds.isEmpty ? "" : ", " + kinds.joined(separator: ", ")) + "."
      + (missed.isEmpty ? "" : " Left out: \(missed.joined(separator: ", ")).")
  }
}
