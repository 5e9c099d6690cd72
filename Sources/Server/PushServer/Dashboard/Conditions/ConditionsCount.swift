import Markup
import PushModel

/// What conditions select: the devices by whether a push reaches them, or why they cannot be counted.
struct ConditionsCount: Sendable {
  private var reach: AudienceReach?
  private var problem: String?
  /// The conditions that no device meets, if no device meets all.
  private var unmet: [String] = []
  /// Whether rows are left out because something of them is not chosen yet.
  private var isPart = false

  /// The most conditions that are counted alone, to find the one that no device meets.
  private static let aloneLimit = 12

  /// Why nothing is counted.
  init(problem: String) { self.problem = problem }

  /// Counts the complete ones of the conditions.
  ///
  /// - Parameters:
  ///   - conditions: The conditions.
  ///   - filters: Filters beside the conditions, which must match too.
  ///   - audience: The audience that is edited; `nil` if it is new.
  ///   - request: The request.
  /// - Throws: ``StoreError``, if the store is not available.
  init(
    _ conditions: AudienceConditions, and filters: [Filter] = [], of audience: Audience? = nil,
    _ request: PageRequest
  ) async throws {
    let complete = conditions.complete
    isPart = conditions != complete && !conditions.problems.isEmpty
    let (audiences, now) = (request.router.audiences, request.now)
    func counted(_ filters: [Filter]) -> Audience {
      Audience(id: audience?.id ?? "", app: request.app.id, filters: filters, createdAt: now)
    }
    do {
      var whole = counted([])
      let choice = try TargetChoice(BodyValue(try complete.json()))
      whole.filters = choice.filters + filters
      whole.any = choice.any.elements.map(\.part)
      whole.except = choice.except.elements.map(\.part)
      let reach = try await audiences.reach(of: whole, at: now)
      self.reach = reach
      guard reach.targeted == 0 else { return }
      for row in complete.allRows.prefix(Self.aloneLimit) {
        let alone = try await audiences.count(of: counted([try row.filter()]), at: now)
        if alone.targeted == 0 { unmet.append(row.words) }
      }
    } catch let error as RequestError {
      problem = error.message
    } catch let error as StoreError where [.conflict, .damaged].contains(error.code) {
      problem = error.message
    }
  }

  /// The element, which a screen reader announces when it changes.
  var html: HTML {
    """
    <div class="note count" id="count" role="status">\(content)</div>
    """
  }

  private var content: HTML {
    guard let reach else { return "<p><strong>Not counted.</strong> \(problem ?? "")</p>" }
    let title = AudienceReach.devices(reach.targeted)
    let incomplete: HTML = " <span class=\"muted\">without what is not complete yet</span>"
    guard reach.targeted > 0 else {
      let reasons = unmet.map { "<li>No device matches “\($0)”.</li>" as HTML }
      return """
        <p><strong>No device matches.</strong>\(incomplete, if: isPart)</p>
        \("<ul>\(reasons)</ul>", if: !reasons.isEmpty)
        """
    }
    let parts = [
      (reach.reached, "reachable by push"), (reach.quiet, "of them quietly"),
      (reach.optedOut, "opted out"), (reach.withoutToken, "without a push token"),
      (reach.otherPlatform, "not on iOS"),
    ].filter { $0.0 > 0 || $0.1 == "reachable by push" }
    return """
      <p><strong>\(title)</strong>\(reach.targeted == 1 ? " matches" : " match")\(incomplete, if: isPart)</p>
      <ul>\(parts.map { "<li><strong>\(HTML.count($0.0))</strong> \($0.1)</li>" as HTML })</ul>
      """
  }
}
