extension Int64 {
  /// Converts a number without a fraction; one out of range becomes `Int64.min` or `Int64.max`.
  ///
  /// - Parameter number: The number; NaN becomes `Int64.min`.
  package init(saturating number: Double) {
    self = Int64(exactly: number) ?? (number > 0 ? .max : .min)
  }
}
