import PushModel
import PushPayload

extension Operation {
  static let listCampaigns = Operation(
    id: "listCampaigns", summary: "Lists the campaigns, the newest first, 50 in a page.",
    parameters: [
      cursor,
      .query(
        "q",
        .string(0...RequestContext.queryLimit).described(
          "a part of the name or of a label, in any case")
      ),
      .query("label", Schema.string.described("a label that they have; empty for any")),
      .query("state", .oneOf(CampaignSchemas.states + [""]).described("empty for any")),
    ],
    answer: .object([
      "campaigns": .array(.named("ListedCampaign")), "meta": .named("Page"),
    ]), refusals: [404])

  static let createCampaign = Operation(
    id: "createCampaign", summary: "Creates a campaign as a draft, which sends nothing yet.",
    parameters: [idempotencyKey],
    body: .closed(["campaign": .named("NewCampaign")]), example: campaignExample, status: 201,
    answer: one, refusals: [404, 409],
    links: Link.to(
      [readCampaign, updateCampaign, previewCampaign, startCampaign],
      parameter: "campaign_id", pointer: "/campaign/id"))

  private static let campaignExample: JSONValue = [
    "campaign": [
      "name": "Autumn sale", "labels": ["sale"],
      "to": ["all": [["name": "tags", "criteria": ["gold"]]]],
      "when": ["at": "now"],
      "variants": [
        ["key": "a", "share": 45, "payload": ["alert": "20% off everything"]],
        ["key": "b", "share": 45, "payload": ["alert": "Your autumn coat is here"]],
        ["key": "control", "share": 10],
      ],
      "test": ["sample": 20, "metric": "opens", "decide_after": "PT4H", "no_winner": "best"],
      "goals": [["event": "bought", "within": "P3D"]],
    ]
  ]

  static let readCampaign = Operation(
    id: "readCampaign", summary: "A campaign with its audience, variants and schedule.",
    answer: one)

  static let updateCampaign = Operation(
    id: "updateCampaign", summary: "Replaces the content of a draft.",
    body: .closed(["campaign": .named("NewCampaign")]), example: campaignExample, answer: one,
    refusals: [409])

  static let discardCampaign = Operation(
    id: "discardCampaign", summary: "Discards a draft.", answer: one, refusals: [409])

  static let previewCampaign = Operation(
    id: "previewCampaign",
    summary: "The devices that each variant would get now, and its payload; sends nothing.",
    answer: .object([
      "device_count": .count, "control": .count, "rest": .count, "held_out": .count,
      "estimated": Schema.boolean.described(
        "whether the parts are computed from the shares, as above \(CampaignDivision.exactLimit) devices"
      ),
      "quiet": LimitSchemas.estimatedQuiet, "capped": LimitSchemas.estimatedCapped,
      "variants": .array(
        .object([
          "key": .string, "device_count": .count,
          "payload": Schema.any.described("the payload of a device of which nothing is known")
            .optional,
          "bytes": Schema.count.optional, "findings": Schema.array(.named("Finding")).optional,
          "message": Schema.any.described("the in-app message in place of a payload").optional,
        ])),
    ]), refusals: [409])

  static let testCampaign = Operation(
    id: "testCampaign",
    summary: "Sends a variant to some devices or to a test audience, at once and past all limits.",
    parameters: [idempotencyKey],
    body: .closed([
      "to": .one(of: [
        Schema.string(1...255).described("the id of a test audience or of a device"),
        Schema.array(.string(1...255), 1...TestTarget.deviceLimit).described("the ids of devices"),
      ]),
      "variant": .string(1...32).described("its key; a campaign with one variant needs none")
        .optional,
      "step": .integer(1...Int64(CampaignPlan.stepLimit)).described(
        "the number of the message in a triggered campaign; default 1"
      ).optional,
    ]), status: 201,
    answer: .one(of: [
      .named("CreatedNotification"), .named("PublishedTest"),
    ]), refusals: [404, 409])

  static let submitCampaign = Operation(
    id: "submitCampaign", summary: "Submits the stored version of a draft for approval.",
    answer: one, refusals: [409],
    links: Link.to(
      [approveCampaign, rejectCampaign], parameter: "campaign_id", pointer: "/campaign/id"))

  static let approveCampaign = Operation(
    id: "approveCampaign",
    summary: "Approves a submitted version; not with the key that has submitted it.",
    body: .closed(["version": version]), answer: one, refusals: [403, 409])

  static let rejectCampaign = Operation(
    id: "rejectCampaign", summary: "Rejects a submitted version, or takes its approval back.",
    body: .closed([
      "version": version,
      "note": .string(0...CampaignApproval.noteLimit).described("the reason, for the author")
        .optional,
    ]), answer: one, refusals: [409])

  private static let version = Schema.integer(1...Int64(Int32.max)).described(
    "the version that was read; another one is not decided on")

  static let startCampaign = Operation(
    id: "startCampaign",
    summary:
      "Starts a draft, at once or at its time; where the app requires it, once it is approved.",
    answer: one,
    refusals: [409],
    links: Link.to(
      [listRuns, pauseCampaign, endCampaign], parameter: "campaign_id", pointer: "/campaign/id"))

  static let pauseCampaign = Operation(
    id: "pauseCampaign", summary: "Pauses a campaign with its notifications and its decision.",
    answer: one, refusals: [409])

  static let resumeCampaign = Operation(
    id: "resumeCampaign", summary: "Resumes a paused campaign; what was due meanwhile is done now.",
    answer: one, refusals: [409])

  static let endCampaign = Operation(
    id: "endCampaign",
    summary: "Ends a campaign and cancels its notifications; pushes that were sent stay sent.",
    answer: one, refusals: [409])

  static let duplicateCampaign = Operation(
    id: "duplicateCampaign", summary: "Creates a draft with the content of a campaign.",
    status: 201, answer: one,
    links: Link.to(
      [readCampaign, updateCampaign], parameter: "campaign_id", pointer: "/campaign/id"))

  static let triggerCampaign = Operation(
    id: "triggerCampaign",
    summary: "Enrolls people in a live triggered campaign, as its event does.",
    parameters: [idempotencyKey],
    body: .closed([
      "to": Schema.named("Target").described("at most 10,000 devices, whose people are enrolled"),
      "data": Schema.named("EventData").optional,
    ]),
    status: 202,
    answer: .object([
      "enrolled": .count.described("how many people have entered; the others may not enter now")
    ]), refusals: [404, 409])

  static let readCampaignReport = Operation(
    id: "readCampaignReport",
    summary: "The report of a triggered campaign: where its people are, and each step's messages.",
    answer: .object(["report": .named("EnrollmentReport")]), refusals: [409])

  static let readCampaignExplanation = Operation(
    id: "readCampaignExplanation",
    summary: "Why a device got the messages of a triggered campaign or did not.",
    answer: .object(["explanation": .named("EnrollmentExplanation")]), refusals: [409])

  static let listRuns = Operation(
    id: "listRuns", summary: "Lists the runs of a campaign, the newest first, 100 in a page.",
    parameters: [cursor],
    answer: .object([
      "runs": .array(.named("ListedRun")), "meta": .object(["cursor": .string.nullable]),
    ]))

  static let readRun = Operation(
    id: "readRun", summary: "The report of a run: its variants, their rates and the decision.",
    answer: .object(["run": .named("Run")]), refusals: [409])

  static let decideRun = Operation(
    id: "decideRun",
    summary: "Ends the test of a run: sends a variant to the rest of its devices, or none.",
    body: .closed([
      "variant": .string(1...32).nullable.described("the key of a variant; null sends none")
    ]),
    answer: .object(["run": .named("Run")]), refusals: [409])

  static let cancelRun = Operation(
    id: "cancelRun",
    summary: "Cancels a run with its notifications; the campaign ends with its last run.",
    answer: .object(["run": .named("Run")]), refusals: [409])

  static let readLimits = Operation(
    id: "readLimits", summary: "What holds for all campaigns of the app.",
    answer: .object(["limits": .named("Limits")]))

  static let updateLimits = Operation(
    id: "updateLimits",
    summary: "Replaces what holds for all campaigns of the app; a limit that is not named ends.",
    body: .closed(["limits": .named("NewLimits")]),
    answer: .object(["limits": .named("Limits")]), refusals: [409])

  private static let one = Schema.object(["campaign": .named("Campaign")])
}
