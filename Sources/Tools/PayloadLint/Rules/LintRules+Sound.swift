import PushPayload

extension LintRules {
  /// Rules about the sound.
  static let sound: [LintRule] = [
    LintRule(
      "M401", .error, summary: "the sound object is malformed",
      why: """
        The object for critical alerts has three keys: `critical` (1), `name` (a string) and `volume` (a \
        number). iOS ignores other keys, and values of other types.
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
          return value == 1 || value == 0 ? nil : LintFinding(path, "must be the number 1")
        case "name":
          return value.string != nil
            ? nil : LintFinding(path, "is \(value.typeName); it takes a string")
        case "volume":
          return value.number != nil
            ? nil : LintFinding(path, "is \(value.typeName); it takes a number")
        default: return LintFinding(path, "is not a key of a sound")
        }
      }
    },
    LintRule(
      "M402", .error, summary: "the volume is not from 0 to 1",
      why: "`volume` is a fraction of the full volume, not a percentage. iOS clamps 80 to 1.",
      bad:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf", "volume": 80}}}"#,
      good:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf", "volume": 0.8}}}"#,
      fix: "write a number from 0 to 1"
    ) { $0.findings(.outOfRange, at: "$.aps.sound.volume") },
    LintRule(
      "M403", .warning, summary: "the sound is an object without critical",
      why: """
        The object form is for critical alerts. Without `critical` iOS plays the named file at the usual \
        volume, as it does for a string; `volume` has no effect.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": {"name": "bell.caf", "volume": 0.5}}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "write the file's name as a string, or add \"critical\": 1"
    ) { subject in
      guard let sound = subject.aps?["sound"]?.object,
        sound["critical"] == nil || sound["critical"] == 0
      else { return [] }
      return [LintFinding("$.aps.sound", "needs \"critical\": 1, or must be a string")]
    },
    LintRule(
      "M404", .warning, summary: "the sound file is of a type that iOS does not play",
      why: """
        Notifications play Linear PCM, MA4, µLaw and aLaw in `aiff`, `wav` or `caf` files of less than 30 \
        seconds. For an MP3 file iOS plays the default sound.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": "bell.mp3"}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "convert it with afconvert bell.mp3 bell.caf -d ima4 -f caff"
    ) { subject in
      guard let (name, path) = subject.soundName, !name.contains("/"),
        let dot = name.lastIndex(of: ".")
      else { return [] }
      let suffix = name[name.index(after: dot)...].lowercased()
      guard !["aiff", "aif", "aifc", "wav", "caf"].contains(suffix) else { return [] }
      return [LintFinding(path, "is a .\(suffix.prefix(10)) file; iOS plays aiff, wav and caf")]
    },
    LintRule(
      "M405", .error, summary: "the sound is a path or a URL",
      why: """
        The file must be on the device before the push arrives: in the app's bundle, or in `Library/Sounds` of \
        its container or app group. The payload names it without a folder; iOS downloads nothing.
        """,
      bad: #"{"aps": {"alert": "Hello", "sound": "https://example.com/bell.caf"}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "bell.caf"}}"#,
      fix: "ship the file with the app and send its name"
    ) { subject in
      guard let (name, path) = subject.soundName, name.contains("/") else { return [] }
      return [LintFinding(path, "must be the name of a file on the device, not a path or a URL")]
    },
    LintRule(
      "M406", .warning, summary: "the sound is an empty string",
      why: "It names no file. For a notification without a sound, remove the key.",
      bad: #"{"aps": {"alert": "Hello", "sound": ""}}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "remove it, or write \"default\""
    ) { subject in
      guard let (name, path) = subject.soundName, name.isEmpty else { return [] }
      return [LintFinding(path, "must be the name of a file, or default")]
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
