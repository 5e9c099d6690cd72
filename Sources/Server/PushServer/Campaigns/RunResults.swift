import PushModel

/// The results of a run: what its variants were sent, how often they were opened, and how they compare.
struct RunResults: Sendable {
  var run: CampaignRun
  var plan: CampaignPlan
  var deliveries: RunDeliveries

  /// The p-value below which the division among the variants is reported as unplanned.
  private static let splitDoubt = 0.001

  /// The variants compared by their openings.
  ///
  /// With a test only the test counts, because only its devices were divided by chance.
  var comparison: VariantComparison? {
    let phase = plan.test == nil ? CampaignRun.Phase.rollout : .test
    let arms = plan.variants.map { variant in
      VariantComparison.Arm(key: variant.key, result: deliveries.opens(of: variant.key, phase))
    }
    guard arms.count > 1, arms.contains(where: { $0.result.trials > 0 }) else { return nil }
    return VariantComparison(arms)
  }

  var isDividedAsPlanned: Bool { splitProbability >= Self.splitDoubt }

  /// The p-value of the devices' division among the variants against their shares.
  var splitProbability: Double {
    let phase = plan.test == nil ? CampaignRun.Phase.rollout : .test
    let counts = plan.variants.map { deliveries.targeted(by: $0.key, phase) }
    return Proportion.chiSquare(counts: counts, shares: plan.variants.map(\.share)).pValue
  }
}
