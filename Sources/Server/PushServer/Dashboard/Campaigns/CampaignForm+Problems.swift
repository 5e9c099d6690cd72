import PushModel
import PushPayload

/// The problems that prevent a campaign from being saved, in the words of the form.
extension CampaignForm {
  typealias Remark = ComposePreview.Remark

  /// All problems, each at its field; `previews` are those of the variants, in their order.
  func problems(
    previews: [ComposePreview], _ request: PageRequest
  ) async throws -> [Remark] {
    var all: [Remark] = []
    func refuse(_ message: String, at place: String) {
      all.append(.refusal(message, at: place))
    }
    if self[.name].isEmpty {
      refuse("Give the campaign a name, by which you find it again.", at: Field.name.rawValue)
    }
    if let problem = try await targetProblem(request) {
      refuse(problem, at: ComposeField.to.rawValue)
    }
    all += stepProblems
    switch kind {
    case .once: break
    case .recurring: all += scheduleProblems(at: request.now)
    case .triggered:
      all += triggerProblems
      if entry == .enters || entry == .leaves, !self[.entryAudience].isEmpty,
        try await request.router.store.audience(self[.entryAudience], app: request.app.id) == nil
      {
        refuse(
          "The audience that people \(entry == .enters ? "enter" : "leave") has been deleted. Choose another one.",
          at: Field.entryAudience.rawValue)
      }
    }
    if kind == .once, !self[.localTime].isEmpty, !self[.bestTime].isEmpty {
      refuse(
        "Choose one: each device's local time, or its best time.", at: Field.bestTime.rawValue)
    }
    all += limitProblems
    all += messageProblems
    for (variant, preview) in zip(variants, previews) {
      if variant.isBlank, !isInApp {
        refuse("\(variant.title): write a title or a body.", at: Self.name(variant.index, "title"))
      }
      all += Self.remarks(of: preview, on: variant)
        .filter { $0.severity == ComposePreview.refusal }
    }
    all += shareProblems
    if isTested { all += testProblems }
    if kind != .triggered { all += goalProblems }
    guard all.isEmpty else { return all }
    // The API refuses the mistakes that the form does not find.
    do {
      let body = BodyValue(["campaign": try document()])
      let campaign = try await TemplateReference.resolve(
        in: try body.required("campaign"), app: request.app.id, request.router.store)
      _ = try SendNaming(campaign)
      _ = try CampaignPlan(campaign, at: request.now)
    } catch let error as RequestError {
      all.append(remark(on: error))
    }
    return all
  }

  /// The remarks of a variant's preview, at the fields of the variant.
  static func remarks(of preview: ComposePreview, on variant: VariantForm) -> [Remark] {
    preview.remarks.map { remark in
      var own = remark
      own.otherField = remark.place.map { name(variant.index, $0) }
      own.field = nil
      if remark.severity == ComposePreview.refusal {
        own.message = "\(variant.title): \(remark.message)"
      }
      return own
    }
  }

  private func targetProblem(_ request: PageRequest) async throws -> String? {
    guard form["to"] != nil else { return "Choose who gets it." }
    if let problem = compose.conditionProblems.first { return problem.message }
    do {
      let target = try Target(BodyValue(target))
      let audience = try await target.audience(
        app: request.app.id, at: request.now, request.router.store)
      _ = try await request.router.audiences.count(of: audience, at: request.now)
    } catch let error as RequestError {
      return error.code == .notFound
        ? "An audience or a send that was chosen has been deleted. Choose others."
        : "The audience cannot be used: \(error.message)"
    } catch let error as StoreError where error.code == .conflict {
      return "The audience cannot be used: \(error.message)"
    }
    return nil
  }

  private var shareProblems: [Remark] {
    steps.flatMap(shareProblems)
  }

  private func shareProblems(of step: StepForm) -> [Remark] {
    var all: [Remark] = []
    var (total, parts) = (0, [String]())
    for variant in step.variants {
      guard let share = Int(variant.share), (1...100).contains(share) else {
        all.append(
          .refusal(
            "\(variant.title): enter its share, a whole number from 1 to 100.",
            at: Self.name(variant.index, "share")))
        continue
      }
      total += share
      parts.append("\(share) for \(variant.title)")
    }
    if !control.isEmpty {
      guard let share = Int(control), (1...99).contains(share) else {
        // The control is one field for all messages.
        return step.number > 0
          ? all
          : all + [
            .refusal(
              "Control: enter a whole number from 1 to 99, or leave it empty.",
              at: Field.control.rawValue)
          ]
      }
      total += share
      parts.append("\(share) for the control")
    }
    guard all.isEmpty, total != 100 else { return all }
    return [
      .refusal(
        "The shares add up to \(total) and must add up to 100: \(parts.joined(separator: ", ")).",
        at: Self.name(step.variants.first?.index ?? 0, "share"))
    ]
  }

  private var testProblems: [Remark] {
    var all: [Remark] = []
    if steps[0].variants.count < 2 {
      all.append(
        .refusal("A test compares two variants at least. Add one.", at: "variant-add"))
    }
    if Int(self[.sample]).map({ (1...99).contains($0) }) != true {
      all.append(
        .refusal("Sample: enter a whole number from 1 to 99.", at: Field.sample.rawValue))
    }
    if isDecidedByClock, !decideAfter.isAllowed {
      all.append(
        .refusal(
          "Decide after: enter a time from 1 minute to 30 days.", at: Field.decideAfter.rawValue))
    }
    if self[.metric] == CampaignPlan.Test.Metric.conversions.rawValue,
      goalRows.allSatisfy(\.event.isEmpty)
    {
      all.append(
        .refusal(
          "Conversions decide: name the event of a goal, which is what is counted.",
          at: Self.goalName(0, "event")))
    }
    if kind == .once, !self[.bestTime].isEmpty {
      all.append(
        .refusal(
          "A test cannot be sent at each device's best time: it would be decided before the last devices got it.",
          at: Field.bestTime.rawValue))
    }
    if kind == .once, !self[.localTime].isEmpty {
      all.append(
        .refusal(
          "A test cannot be sent in each device's local time: it would be decided before the last time zones got it.",
          at: Field.localTime.rawValue))
    }
    return all
  }

  private var goalProblems: [Remark] {
    goalRows.enumerated().compactMap { row, goal in
      guard !goal.event.isEmpty else { return nil }
      guard Attribute.isName(goal.event) else {
        return .refusal(
          "Goal \(row + 1): “\(goal.event)” is not the name of an event.",
          at: Self.goalName(row, "event"))
      }
      return goal.within.isAllowed
        ? nil
        : .refusal(
          "Goal \(row + 1): enter a time from 1 minute to 30 days.",
          at: Self.goalName(row, "within"))
    }
  }

  /// A refusal by the API in the words of the form.
  func remark(on error: RequestError) -> Remark {
    guard let path = error.path, error.message.hasPrefix(path) else {
      return Remark(field: nil, severity: ComposePreview.refusal, message: error.message)
    }
    let problem = error.message.dropFirst(path.count)
    if let match = path.firstMatch(of: /(?:\.steps\[(\d+)\])?\.variants\[(\d+)\]/),
      let place = Int(match.2)
    {
      let own = variants.filter { $0.step == match.1.flatMap { Int($0) } ?? 0 }
      guard own.indices.contains(place) else {
        return .refusal("Control\(problem)", at: Field.control.rawValue)
      }
      let part = path.hasSuffix(".name") ? "name" : path.hasSuffix(".share") ? "share" : "title"
      return .refusal(
        "\(own[place].title)\(part == "name" ? ": its name" : ":")\(problem)",
        at: Self.name(own[place].index, part))
    }
    if let match = path.firstMatch(of: /\.goals\[(\d+)\]/), let row = Int(match.1) {
      return .refusal("Goal \(row + 1)\(problem)", at: Self.goalName(row, "event"))
    }
    let places: [(suffix: String, place: String, title: String)] = [
      (".name", Field.name.rawValue, Field.name.title),
      (".at", Field.scheduledAt.rawValue, Field.scheduledAt.title),
      (".best_time", Field.bestTime.rawValue, Field.bestTime.title),
      (".local_time", Field.localTime.rawValue, Field.localTime.title),
      (".per_second", Field.throttle.rawValue, Field.throttle.title),
      (".to", ComposeField.to.rawValue, ComposeField.to.title),
      (".every", Field.unit.rawValue, Field.unit.title),
      (".when", Field.sent.rawValue, "The schedule"),
    ]
    if let match = path.firstMatch(of: /\.when\.(trigger|exit_on\[(\d+)\])/) {
      let prefix = match.2.flatMap { Int($0) }.map(Self.exitPrefix) ?? Self.triggerPrefix
      let title = match.2 == nil ? "What people do" : "What ends it"
      return .refusal("\(title)\(problem)", at: EventForm.fieldName(prefix, "event"))
    }
    if path.contains(".labels") {
      return .refusal("Labels\(problem)", at: ComposeField.labels.rawValue)
    }
    if let match = places.first(where: { path.hasSuffix($0.suffix) }) {
      return .refusal("\(match.title)\(problem)", at: match.place)
    }
    return Remark(field: nil, severity: ComposePreview.refusal, message: error.message)
  }
}

extension CampaignForm.VariantForm {
  /// Whether the texts and the media are all empty.
  var isBlank: Bool {
    [.title, .subtitle, .text, .media, .template, .more].allSatisfy { compose[$0].isEmpty }
  }
}
