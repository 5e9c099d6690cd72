import NotificationTemplates
import PushPayload

extension InitCommand {
  enum Options {
    static let appName = Option(
      "--app-name", targetForm, help: "the app's target in Xcode; with --project the only app's")
    static let bundleID = Option(
      "--bundle-id", bundleIDForm, help: "the app's bundle id; with --project the target's")
    static let project = Option(
      "--project", .file("PATH"), help: "the .xcodeproj to which the extension is added")
    static let tool = Option(
      repeated: "--for", .oneOf(BuildTool.self, placeholder: "TOOL"),
      help: "the lines for " + BuildTool.allCases.map(\.rawValue).joined(separator: ", "))
    static let package = Option(
      "--package", packageForm,
      help: "the path of Martlet's repository, or its URL (default ../martlet, if that exists)")
    static let appGroup = Option(
      "--app-group", groupForm, help: "the app group of app and extension (default group.ID)")
    static let category = Option(
      repeated: "--category", categoryForm, help: "enrich notifications of this category only")
    static let allowHTTP = Option(
      repeated: "--allow-http", hostForm, help: "media of this host may come over plain HTTP")
    static let contentExtension = Option(
      flag: "--content-extension", help: "also write the extension that shows expanded templates")
    static let vendor = Option(
      repeated: "--vendor", vendorForm,
      help: "show templates of this vendor (default all): "
        + vendorNames.joined(separator: ", "))
    static let contentCategory = Option(
      repeated: "--content-category", categoryForm,
      help: "show templates of this category of the app too")

    private static let vendorNames = ContentSettings.allVendors.map(\.id.rawValue)
    private static let vendorForm = ValueForm<TemplateAdapter>(
      "NAME", takes: vendorNames.joined(separator: ", "), completion: .words(vendorNames)
    ) { name in ContentSettings.allVendors.first { $0.id.rawValue == name } }
    private static let packageForm = ValueForm<MartletPackage>(
      "PACKAGE", takes: "a path or a URL", completion: .folders
    ) { MartletPackage($0) }
    private static let targetForm = ValueForm<String>(
      "NAME", takes: "a target's name: up to 64 letters, digits, spaces, - and _"
    ) { isTargetName($0) ? $0 : nil }
    private static let bundleIDForm = ValueForm<String>(
      "ID", takes: "two words or more in dots, of letters, digits and -: com.example.app"
    ) { isIdentifier($0) ? $0 : nil }
    private static let groupForm = ValueForm<String>(
      "GROUP", takes: "group. and words in dots: group.com.example.app"
    ) { $0.hasPrefix("group.") && isIdentifier($0) ? $0 : nil }
    private static let categoryForm = ValueForm<String>(
      "ID", takes: "a category's id, without control characters"
    ) { isCategory($0) ? $0 : nil }
    private static let hostForm = ValueForm<String>(
      "HOST", takes: "a host's name, such as media.example.com"
    ) { isIdentifier($0) ? $0 : nil }
  }

  static let options: [any CommandOption] = [
    Options.appName, Options.bundleID, Options.project, Options.tool, Options.package,
    Options.appGroup, Options.category, Options.allowHTTP, Options.contentExtension,
    Options.vendor, Options.contentCategory, CommonOptions.json,
  ]

  /// Whether a text has at most 64 letters and digits of any language, spaces, hyphens and underscores.
  private static func isTargetName(_ name: String) -> Bool {
    guard let first = name.first, let last = name.last else { return false }
    // A letter may have combining marks. Twice the scalars leave room for them, and for file names.
    return name.count <= 64 && name.unicodeScalars.count <= 128 && name.utf8.count <= 240
      && isLetterOrDigit(first) && last != " "
      && name.allSatisfy { isLetterOrDigit($0) || " -_".contains($0) }
      && ExtensionKind(rawValue: name) == nil
  }

  private static func isLetterOrDigit(_ character: Character) -> Bool {
    character.unicodeScalars.enumerated().allSatisfy { index, scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber:
        true
      case .nonspacingMark, .spacingMark: index > 0
      default: false
      }
    }
  }

  /// Whether a category's id can be written in the XML of a property list, which must not have
  /// control characters.
  private static func isCategory(_ id: String) -> Bool {
    !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Whether a text has two or more words of letters, digits and hyphens that are separated by dots,
  /// as Apple's reference of `CFBundleIdentifier` requires.
  private static func isIdentifier(_ text: String) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count >= 2 && text.utf8.count <= 155
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
