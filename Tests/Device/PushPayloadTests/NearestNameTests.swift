import PushPayload
import Testing

@Suite("Nearest names")
struct NearestNameTests {
  @Test(
    "the nearest name begins with the word, or differs in a third of its letters",
    arguments: [
      ("simulat", "simulate"), ("lnt", "lint"), ("aps", "apps"), ("ap", "apps"), ("x", nil),
      ("", nil), ("kubernetes", nil),
    ] as [(String, String?)])
  func nearest(word: String, name: String?) {
    #expect(NearestName.find(word, among: ["simulate", "lint", "apps"]) == name)
  }

  @Test("a word of more than 64 bytes is near nothing")
  func long() {
    for (count, name) in [(64, "\(String(repeating: "a", count: 65))"), (65, nil)] {
      let word = String(repeating: "a", count: count)
      #expect(
        NearestName.find(word, among: [String(repeating: "a", count: 65)]) == name)
    }
  }

  @Test(
    "texts are near within a number of changed letters, in any case",
    arguments: [
      ("Service", "service", 0, true), ("servic", "service", 1, true), ("srvc", "service", 3, true),
      ("srvc", "service", 2, false), ("serv", "services", 3, false), ("abcd", "wxyz", 3, false),
    ])
  func near(one: String, other: String, changes: Int, isNear: Bool) {
    #expect(NearestName.isNear(one, other, within: changes) == isNear)
    #expect(NearestName.isNear(other, one, within: changes) == isNear)
  }
}
