import Markup
import PushModel
import PushPayload

/// The review of a draft: the devices that would get each variant, and the texts that they would show.
struct CampaignReview: Sendable {
  /// A variant, and the devices that would get it.
  struct Variant: Sendable {
    var message: CampaignPlan.Message
    var devices: Int
    /// The composer's form with the texts of the variant.
    var form: ComposeForm
    /// The number of devices for each language; `nil` if the variant is an in-app message.
    var coverage: LanguageCoverage?
    /// Some devices with the texts that they would show.
    var samples: [ComposeReview.Sample]
    /// An in-app message as inboxes show it.
    var inbox: HTML?
    /// Possible mistakes in the texts.
    var warnings: [ComposePreview.Remark]
  }

  private static let sampleCount = 2
  /// The largest number of sample devices of a variant with languages, one for each language.
  private static let languageSampleCount = 10

  var audience: String
  var reach: AudienceReach
  var isForEveryone: Bool
  private(set) var variants: [Variant] = []
  private(set) var control = 0
  private(set) var rest = 0
  private(set) var heldOut = 0
  /// ``CampaignDivision/isExact``.
  private(set) var isExact: Bool
  private(set) var holdout: Holdout?
  private(set) var limits: AppLimits
  /// The devices that limits would hold back; `nil` for a triggered campaign.
  private(set) var estimate: LimitEstimate?
  /// The times at which devices would get the campaign; `nil` if it has no best time or over ``CampaignDivision/exactLimit``
  /// devices.
  private(set) var bestTime: BestTime?
  /// The name of the audience that people enter or leave.
  private(set) var entryAudience: String?
  /// The reasons why the campaign cannot be started as it is, in the words of its form.
  private(set) var obstacles: [String] = []
  /// Devices to which a test can be sent, test devices first.
  private(set) var choices: ComposeChoices
  /// The keys of the app and of the server, which name who has submitted and approved.
  private(set) var keys: [APIKey]
  /// The names of people who have submitted and approved, by the ids of their accounts.
  private(set) var people: [String: String] = [:]

  /// Reads the audience and divides it.
  ///
  /// - Throws: ``RequestError`` if the audience can no longer be used.
  init(_ campaign: Campaign, plan: CampaignPlan, _ request: PageRequest) async throws {
    let (router, now) = (request.router, request.now)
    let form = try CampaignForm(campaign, at: now)
    keys = try await router.store.keys(app: campaign.app) + router.store.keys(app: nil)
    for id in [campaign.approval?.submittedBy, campaign.approval?.decidedBy].compactMap(\.self) {
      people[id] = try await router.store.account(id)?.displayName
    }
    choices = try await ComposeChoices(request, for: form.compose)
    let target = try await plan.target.audience(app: campaign.app, at: now, router.store)
    reach = try await router.audiences.reach(of: target, at: now)
    // A triggered campaign reaches only the people who are enrolled, and today that may be nobody.
    isForEveryone =
      form.compose.isForEveryone && !form.compose.isRefined && plan.rule == nil
    audience = "Devices as written over the API"
    if form.form["to"] != CampaignForm.keptTarget {
      audience = try await form.compose.audienceInWords(request)
    }
    entryAudience = try await plan.entryAudience(request)
    limits = try await router.store.limits(app: campaign.app)
    if plan.obeysHoldout { holdout = limits.holdout }
    let devices = try await router.actions.planner.devices(of: target, for: plan, at: now)
    let division = try await CampaignDivision(
      of: devices, by: plan.split, app: campaign.app, salt: campaign.id, holdout: holdout,
      router.store)
    let arms = division.counts
    (control, rest, heldOut) = (arms[.control] ?? 0, arms[.rest] ?? 0, division.heldOut)
    isExact = division.isExact
    if plan.rule == nil {
      estimate = try await router.actions.planner.estimate(
        of: plan, campaign, to: devices, limits: limits, countsCapped: isExact)
    }
    if plan.isBestTime, isExact {
      bestTime = try await BestTime(
        of: devices, app: campaign.app, from: max(plan.at ?? now, now), router.store)
    }
    for (message, compose) in zip(plan.messages, form.variants.map(\.compose)) {
      let arm = CampaignSplit.Arm.variant(message.variant.key)
      let isDivided = isExact && plan.rule == nil
      let own = plan.rule == nil ? division.devices(of: arm) : devices
      let locales = try await AudienceLocales(members: own, request)
      let counted = LanguageCoverage(compose.languages, in: locales)
      let first =
        compose.languages.isEmpty
        ? DeviceNumbers(own.prefix(Self.sampleCount))
        : counted.samples(min(Self.languageSampleCount, counted.rows.count + 1))
      let preview = try await ComposePreview(compose, for: nil, of: locales, request)
      let coverage = isDivided || plan.rule != nil ? counted : counted.scaled(to: arms[arm] ?? 0)
      variants.append(
        Variant(
          message: message, devices: arms[arm] ?? 0, form: compose,
          coverage: plan.isInApp ? nil : coverage,
          samples: plan.isInApp ? [] : try await Self.samples(of: preview, for: first, request),
          inbox: try await CampaignMessage.preview(message.variant.message, request),
          warnings: preview.warnings))
    }
    if devices.isEmpty, plan.rule == nil {
      obstacles.append(
        plan.isInApp
          ? "This audience has no device." : "No device of this audience can receive pushes.")
    }
    do {
      _ = try CampaignPlan(BodyValue(campaign.document, at: "$.campaign"), at: now)
    } catch {
      obstacles.append(form.remark(on: error).message)
    }
  }

  private static func samples(
    of preview: ComposePreview, for numbers: DeviceNumbers, _ request: PageRequest
  ) async throws -> [ComposeReview.Sample] {
    let devices = try await request.router.store.devices(app: request.app.id, numbers: numbers)
    var samples: [ComposeReview.Sample] = []
    for device in devices {
      let name = device.userID ?? device.id
      do throws(ComposeError) {
        guard let texts = try preview.texts(for: device) else { continue }
        samples.append(.init(device: name, texts: .success(texts)))
      } catch {
        samples.append(.init(device: name, texts: .failure(error)))
      }
    }
    return samples
  }
}
