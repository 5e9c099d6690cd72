/// The zone names that a date may have: those of RFC 2822, including the military letters, and the European ones.
///
/// Ruby's `Time.parse` knows the names of RFC 2822, and its `Date` also the European ones.
///
/// A date with any other name is refused, because a guess would be hours off: `IST` is used in India, Ireland and
/// Israel.
enum ZoneNames {
  /// Hours east of UTC by the name in lower case.
  static let hours: [String: Int] = {
    var hours = [
      "utc": 0, "ut": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
      "mdt": -6, "pst": -8, "pdt": -7, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2,
      "eet": 2, "eest": 3,
    ]
    // J is the observer's own zone.
    for (index, letter) in "abcdefghiklm".enumerated() { hours[String(letter)] = index + 1 }
    for (index, letter) in "nopqrstuvwxy".enumerated() { hours[String(letter)] = -index - 1 }
    return hours
  }()
}
