/// The reason why a sign-in with a provider signed nobody in, which the address of the next page names.
enum ProviderProblem: String, Error, CaseIterable {
  case cancelled, expired, unknown, taken, unavailable, refused, limited
}
