import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("What the first bytes of an uploaded file suggest")
struct ImportSettingsTests {
  static let files: [(start: String, form: ImportSettings.FileForm, columns: [String?])] = [
    ("token,os_name\naa,iOS\n", .csv, ["token", "os_name"]),
    ("\u{feff}Push Token;Plan;E-Mail\naa;gold;a@b\n", .csv, ["token", nil, "user_email"]),
    ("device_token\texternal_id\tlanguage\n", .csv, ["token", "user_id", "locale"]),
    (
      "token,custom.integer.age,Token\n", .csv,
      ["token", "custom.integer.age", nil]
    ),
    ("\"push-token\",\"opt_in\",\"first,name\"", .csv, ["token", "push_enabled", nil]),
    ("id,identifier,device_type,tags\n", .oneSignal, []),
    ("{\"push_token\":\"aa\"}\n", .lines, []),
    ("\n{\"ok\":true,\"channels\":[]}", .airship, []),
    ("", .csv, [nil]),
  ]

  @Test("the form and the columns are found by themselves", arguments: files)
  func suggested(_ start: String, _ form: ImportSettings.FileForm, _ columns: [String?]) {
    let settings = ImportSettings(suggestedFor: Array(start.utf8))
    #expect(settings.form == form)
    if start.isEmpty {
      #expect(settings.problem != nil)
    } else {
      #expect((settings.mapping?.columns ?? []).map { $0?.name } == columns)
    }
    #expect(ImportSettings(json: settings.json) == settings)
  }

  @Test("a file without a platform is taken for one of iOS, and one with it is not")
  func platform() {
    let without = ImportSettings(suggestedFor: Array("token,user_id\n".utf8))
    #expect(without.mapping?.platform == "iOS" && without.problem == nil)
    let with = ImportSettings(suggestedFor: Array("token,platform\n".utf8))
    #expect(with.mapping?.platform == nil && with.problem == nil)
  }

  @Test("columns that cannot be imported together have a problem that says what to choose")
  func problems() {
    func problem(_ columns: [ImportColumn?], _ platform: String? = "iOS") -> String? {
      ColumnMapping(columns: columns, platform: platform).problem
    }
    #expect(problem([.token, nil, .attribute(.string, "a"), .attribute(.integer, "a")]) == nil)
    #expect(problem([.userID])?.contains("push tokens") == true)
    #expect(problem([.token, .token])?.contains("token") == true)
    #expect(problem([.token], nil)?.contains("platform") == true)
    #expect(problem([.token, .osName], nil) == nil)
  }

  @Test(
    "settings that a newer version stored are not understood",
    arguments: [
      "{}", "{\"form\":\"xml\"}", "{\"form\":\"csv\",\"more\":1}",
      "{\"form\":\"csv\",\"mapping\":{\"columns\":[\"new\"],\"separator\":\",\"}}",
      "{\"form\":\"csv\",\"mapping\":{\"columns\":[],\"separator\":\":\"}}",
    ])
  func unknown(_ json: String) throws {
    #expect(ImportSettings(json: try JSONValue(parsing: json)) == nil)
  }
}
