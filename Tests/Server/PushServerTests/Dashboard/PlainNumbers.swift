extension String {
  /// The markup with its numbers as a page without scripts shows them.
  var withPlainNumbers: String {
    replacing(/<data value="[^"]*">([^<]*)<\/data>/) { String($0.1) }
  }
}
