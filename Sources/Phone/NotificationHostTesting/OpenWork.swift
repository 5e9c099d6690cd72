/// The sentence about the open work of a test that hangs.
enum OpenWork {
  /// Names what is open on the phones of a test.
  ///
  /// - Parameter phones: The phones that are alive.
  /// - Returns: The heading and a line for each work that is open.
  static func sentence(of phones: [TestPhone]) -> String {
    let lines = phones.flatMap(\.openWork)
    if lines.isEmpty {
      return "The test was canceled while no phone had open work, so it waits for something else."
    }
    return
      (["The test was canceled while this was open, at the time of the phone's clock:"] + lines)
      .joined(separator: "\n")
  }
}
