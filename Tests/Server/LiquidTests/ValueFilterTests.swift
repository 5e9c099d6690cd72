import Liquid
import PushPayload
import Testing

@Suite("Filters of numbers, texts and dates")
struct ValueFilterTests {
  static let numbers: [(source: String, text: String)] = [
    // Numbers with a decimal point are computed as they are written.
    ("{{ 0.1 | plus: 0.2 }} {{ 1 | minus: 0.9 }} {{ 19.99 | times: 3 }}", "0.3 0.1 59.97"),
    (
      "{{ 20 | divided_by: 7.0 }} {{ 1 | divided_by: 0.12345678901234567 }}",
      "2.857142857142857 8.100000072900002"
    ),
    ("{{ 5.5 | modulo: 2 }} {{ -5.5 | modulo: 2 }} {{ 7 | modulo: -2.5 }}", "1.5 0.5 -0.5"),
    // Far apart, as doubles.
    ("{{ '1e9' | plus: 0.5 }} {{ 100000000000000000000.5 | plus: 0.00000000001 }}", "1.5 1.0e+20"),
    ("{{ 1.005 | round: 2 }} {{ 1.25 | round: 1 }} {{ -1.25 | round: 1 }}", "1.01 1.3 -1.3"),
    ("{{ 5.666 | round: -2 }} {{ 150 | round: -2 }} {{ -150.5 | round: -2 }}", "0 200 -200"),
    ("{{ 2.5 | round }} {{ -2.5 | round }} {{ 2.4 | round: nope }}", "3 -3 2"),
    ("{{ 1.005 | round: 20 }} {{ 12 | round: 2 }} {{ 12 | round: -400 }}", "1.005 12 0"),
    ("{{ 1.5 | round: 9223372036854775807 }} {{ 1.5 | round: -9223372036854775808 }}", "1.5 0"),
    (
      "{{ 1000000000000000.0 }} {{ 123456789012345.0 }} {{ 0.0001 }} {{ 0.00001 }}",
      "1.0e+15 123456789012345.0 0.0001 1.0e-05"
    ),
    (
      "{{ -0.5 }} {{ 100.0 }} {{ 0.0 }} {{ 1234.5678 }} {{ 123456789012345678.0 }}",
      "-0.5 100.0 0.0 1234.5678 1.2345678901234568e+17"
    ),
    // A string is the number at its start.
    ("{{ '12 apples' | plus: 1 }} {{ ' -3 ' | plus: 1 }} {{ ' 1.5 ' | plus: 1 }}", "13 -2 2.5"),
    (
      "{{ '1.5.2' | plus: 1 }} {{ '.5' | plus: 1 }} {{ '-' | plus: 1 }} {{ '+4x' | plus: 1 }}",
      "2 1 1 5"
    ),
    ("{{ '99999999999999999999' | plus: 1 }} {{ '9.5' | at_least: 10 }}", "1.0e+20 10"),
  ]

  static let texts: [(source: String, text: String)] = [
    // An empty string is found before each character and at the end.
    ("{{ 'Tee' | replace: nope, '-' }} {{ 'é👨‍👩‍👧' | replace: '', '-' }}", "-T-e-e- -é-👨‍👩‍👧-"),
    ("{{ 'Tee' | replace_first: '', '-' }} {{ 'Tee' | replace_last: '', '-' }}", "-Tee Tee-"),
    (
      "{{ 'Tee' | remove: '' }} {{ 'Tee' | remove_last: '' }} {{ nope | replace: '', '-' }}",
      "Tee Tee -"
    ),
    // Matches do not overlap, from the start for all and the first, from the end for the last.
    ("{{ 'aaaaa' | replace: 'aa', '-' }} {{ 'aaaaa' | replace_last: 'aa', '-' }}", "--a aaa-"),
    ("{{ 'ababac' | replace: 'abac', '-' }} {{ 'aabaab' | split: 'aab' | size }}", "ab- 0"),
    ("{{ 'hello' | slice: 1, nope }} {{ 'hello' | slice: '1', ' 2 ' }}", "e el"),
    (
      "{{ 'hello' | truncate: '4' }} {{ nope | truncate: 1 }}{{ nope | truncatewords: 1 }}", "h... "
    ),
    ("{% assign a = 'hello' %}{{ a | first }}{{ a.last }}{{ '' | first }}", "ho"),
    ("{{ 'YQ' | base64_url_safe_decode }}{{ nope | base64_decode }}", "a"),
  ]

  static let dates: [(source: String, text: String)] = [
    ("{{ 'March 14, 2016' | date: '%F %T %z' }}", "2016-03-14 00:00:00 +0000"),
    (
      "{{ 'March 14, 2016 10:30 PM +0530' | date: '%F %T %z %s' }}",
      "2016-03-14 22:30:00 +0530 1457974800"
    ),
    ("{{ 'Mon, 14 Mar 2016 10:11:12 -07:30' | date: '%F %T %z' }}", "2016-03-14 10:11:12 -0730"),
    ("{{ 'Thu Nov  5 10:11:12 2026' | date: '%F %T' }}", "2026-11-05 10:11:12"),
    (
      "{{ '12am 1 jan 2000' | date: '%F %T' }} {{ 'March 3rd, 2016 5pm' | date: '%T' }}",
      "2000-01-01 00:00:00 17:00:00"
    ),
    (
      "{{ '1 jan 2000 12:30:59.25 pm gmt' | date: '%T' }} {{ 'Jan. 5, 99' | date: '%F' }}",
      "12:30:59 1999-01-05"
    ),
    (
      "{{ '14-SEPT-68' | date: '%F' }} {{ 'March 2016' | date: '%F' }} {{ 'May 1' | date: '%F' }}",
      "2068-09-14 2016-03-01 2026-05-01"
    ),
    ("{{ 'TODAY' | date: '%F' }} {{ -1 | date: '%F %T' }}", "2026-11-21 1969-12-31 23:59:59"),
  ]

  static let notDates = [
    "-1152098955", "+5", "14/03/2016", "10:30", "Monday", "hello", "may be", "feb 30 2026",
    "jan 1 1999 24:00", "jan 1 1999 10:60", "jan 1 1999 13pm", "jan 1 1999 10:00:61",
    "jan feb 1999",
    "jan 1 2 3", "jan 123 2000", "jan 1 1999 10:00 +2460", "jan 1 1999 10:00 +24:00",
    "jan 1 1999 10:00 +1:00", "jan 1 1999 10:00:", "jan 1 1999 10:1", "jan 1 1999 10:00:00.x",
    "märz 1 1999",
    "jan 99999999999999999999", "Marching 3",
  ]

  @Test("a filter computes, cuts and shows", arguments: numbers + texts + dates)
  func rendering(source: String, text: String) throws {
    #expect(try render(source) == text)
  }

  @Test("a text that is no date stays as it is", arguments: notDates)
  func notDate(text: String) throws {
    #expect(try render("{{ text | date: '%F' }}", ["text": .string(text)]) == text)
  }

  @Test("a date has at most 100 bytes")
  func longDate() throws {
    let date = "1 May 2026"
    let spaces = String(repeating: " ", count: 100 - date.utf8.count)
    #expect(try render("{{ '\(date)\(spaces)' | date: '%F' }}") == "2026-05-01")
    #expect(try render("{{ '\(date)\(spaces) ' | date: '%F' }}") == date + spaces + " ")
  }
}
