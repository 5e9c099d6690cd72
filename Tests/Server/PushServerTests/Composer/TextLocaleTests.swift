import PushPayload
import Testing

@testable import PushServer

@Suite("The text of a device's locale")
struct TextLocaleTests {
  static let cases: [(locale: String, texts: [String], best: String?)] = [
    ("zh_TW", ["zh-hant", "zh-hans"], "zh-hant"), ("zh_HK", ["zh-hant", "zh"], "zh-hant"),
    ("zh-MO", ["zh-hant-hk"], "zh-hant-hk"), ("zh_CN", ["zh-hans"], "zh-hans"),
    ("zh", ["zh-hans"], "zh-hans"), ("zh-Hant-TW", ["zh-tw"], "zh-tw"), ("zh-Hant", ["zh"], "zh"),
    ("zh-Hant", ["zh-hans"], nil), ("zh_TW", ["zh-tw", "zh-hant"], "zh-tw"),
    ("en_US@rg=dezzzz", ["en-us"], "en-us"), ("en-US-u-rg-dezzzz", ["en-us"], "en-us"),
    ("en_US.UTF-8", ["en"], "en"), ("de@rg=atzzzz", ["de", "de-at"], "de"),
    ("en-AU", ["en-001", "en"], "en-001"), ("en_AT", ["en-150", "en-001"], "en-150"),
    ("en-GB", ["en-us"], nil), ("es-MX", ["es-419", "es"], "es-419"),
    ("es-ES", ["es-419", "es"], "es"),
    ("pt-AO", ["pt-pt", "pt"], "pt-pt"), ("pt_BR", ["pt-pt"], nil), ("nb_NO", ["no"], "no"),
    ("sr_ME", ["sr-latn", "sr"], "sr-latn"), ("sr_RS", ["sr-latn"], nil),
    ("sr", ["sr-cyrl"], "sr-cyrl"),
    ("uz_AF", ["uz-arab"], "uz-arab"), ("uz", ["uz-latn"], "uz-latn"),
    ("az_RU", ["az-cyrl"], "az-cyrl"),
    ("pa-PK", ["pa-arab", "pa"], "pa-arab"), ("hi-Latn-IN", ["hi"], "hi"), ("fr_CA", ["fr"], "fr"),
    ("", ["en"], nil), ("@", ["en"], nil), ("-", ["en"], nil),
  ]

  @Test(
    "a locale gets its own text, one of a parent or of its script, or its language's",
    arguments: cases)
  func best(locale: String, texts: [String], best: String?) {
    #expect(TextLocale.best(for: locale, where: texts.contains) == best)
  }

  @Test("a region override is not part of the language")
  func language() {
    #expect(TextLocale.language(of: "de@rg=atzzzz") == "de")
  }

  @Test("a device with a region override gets the text of its locale in a preview")
  func preview() async throws {
    let fixture = try await Fixture()
    let device = #"{"device":{"push_token":"0a0b","platform":"iOS","locale":"en_US@rg=dezzzz"}}"#
    #expect(await fixture.request("PUT", "/v6/devices/d", body: device).status == 200)
    let answer = await fixture.request(
      "POST", "/v6/notifications/preview",
      body: #"{"notification":{"to":"*","payload":{"alert":{"default":"DEF","en-US":"US"}}}}"#)
    #expect(answer.json["payload"]?["aps"]?["alert"] == "US")
  }
}
