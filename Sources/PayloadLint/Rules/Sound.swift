import PushPayload

extension LintRules {
  /// Whether it sounds as it was meant.
  static let sound: [LintRule] = [
    LintRule(
      "M401", .error, "the sound object is malformed",
      why: """
        The object for critical alerts has three keys: `critical` (1), `name` (a text) and `volume` (a \
        number). What else stands there is passed over; what has another type counts as absent.
        """,
      bad: #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "file": "siren.caf"}}}"#,
      good: #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf"}}}"#,
      fix: "use critical, name and volume"
    ) { subject in
      guard let sound = subject.aps?["sound"]?.object else { return [] }
      return sound.sorted { $0.key < $1.key }.compactMap { key, value in
        let path = "$.aps.sound" + JSONScan.step(key)
        switch key {
        case "critical":
          return value == 1 || value == 0 ? nil : LintFinding(path, "is not the number 1")
        case "name":
          return value.string != nil
            ? nil : LintFinding(path, "is \(value.typeName); it takes a string")
        case "volume":
          return value.number != nil
            ? nil : LintFinding(path, "is \(value.typeName); it takes a number")
        default: return LintFinding(path, "is no key of a sound")
        }
      }
    },
    LintRule(
      "M402", .error, "the volume is not from 0 to 1",
      why: "`volume` is a share of the loudest, not a percentage. The phone cuts 80 to 1.",
      bad:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf", "volume": 80}}}"#,
      good:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf", "volume": 0.8}}}"#,
      fix: "write a number from 0 to 1"
    ) { $0.findings(.outOfRange, at: "$.aps.sound.volume") },
    LintRule(
      "M403", .warning, "the sound is an object without critical",
      why: """
        The object form is for critical alerts. Without `critical` it plays the named file at the usual \
        volume, which a text says in fewer bytes; `volume` has no effect.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": {"name": "bell.caf", "volume": 0.5}}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "write the file's name as a text, or add \"critical\": 1"
    ) { subject in
      guard let sound = subject.aps?["sound"]?.object,
        sound["critical"] == nil || sound["critical"] == 0
      else { return [] }
      return [LintFinding("$.aps.sound", "is an object without \"critical\": 1")]
    },
    LintRule(
      "M404", .warning, "the sound file is of a type that is not played",
      why: """
        Notifications play Linear PCM, MA4, µLaw and aLaw in `aiff`, `wav` or `caf` files of less than \
        30 seconds. For an MP3 the default sound plays.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": "bell.mp3"}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "convert it: afconvert bell.mp3 bell.caf -d ima4 -f caff"
    ) { subject in
      guard let (name, path) = subject.soundName, !name.contains("/"),
        let dot = name.lastIndex(of: ".")
      else { return [] }
      let suffix = name[name.index(after: dot)...].lowercased()
      guard !["aiff", "aif", "aifc", "wav", "caf"].contains(suffix) else { return [] }
      return [LintFinding(path, "names a file that ends in .\(suffix.prefix(10))")]
    },
    LintRule(
      "M405", .error, "the sound is a path or a URL",
      why: """
        The file must lie on the phone before the push comes: in the app's bundle, or in `Library/Sounds` \
        of its container or app group. It is named without a folder; nothing is fetched.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": "https://example.com/bell.caf"}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "ship the file with the app and send its name"
    ) { subject in
      guard let (name, path) = subject.soundName, name.contains("/") else { return [] }
      return [LintFinding(path, "is a path; it takes the name of a file on the phone")]
    },
    LintRule(
      "M406", .warning, "the sound is an empty text",
      why: "It names no file. Whoever wants silence leaves the key out.",
      bad: #"{"aps": {"alert": "Hello", "sound": ""}}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "leave it out, or write \"default\""
    ) { subject in
      guard let (name, path) = subject.soundName, name.isEmpty else { return [] }
      return [LintFinding(path, "is empty")]
    },
  ]
}

extension LintSubject {
  fileprivate var soundName: (name: String, path: String)? {
    switch aps?["sound"] {
    case .string(let name): (name, "$.aps.sound")
    case .object(let members): members["name"]?.string.map { ($0, "$.aps.sound.name") }
    default: nil
    }
  }
}
