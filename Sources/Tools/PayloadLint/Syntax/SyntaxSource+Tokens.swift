import PushPayload

/// Problems of single tokens.
extension SyntaxSource {
  /// A problem inside a text in quotation marks.
  func textProblem(_ fault: JSONFault) -> SyntaxProblem? {
    guard let text else { return nil }
    let unclosed = SyntaxProblem("has a text without a closing quotation mark; add it", at: text)
    switch byte {
    case nil:
      return SyntaxProblem(
        "has a text without a closing quotation mark; add it, or copy the whole file: this one may "
          + "be cut off", at: text)
    case 0x0A, 0x0D:
      let next = skippingSpace(from: self.fault)
      if has("\"", at: next) || has("}", at: next) || has("]", at: next) { return unclosed }
      return SyntaxProblem("has a line break inside a text; write \\n", at: self.fault)
    case 0x09: return SyntaxProblem("has a tab inside a text; write \\t", at: self.fault)
    case let byte? where byte < 0x20:
      return SyntaxProblem(
        "has a control character inside a text; remove it, or write it as \\u00XX", at: self.fault)
    case UInt8(ascii: "'") where fault.message.contains("escape"):
      return SyntaxProblem("has \\' in a text; write ' without the backslash", at: self.fault)
    case UInt8(ascii: "u") where has("u{", at: self.fault):
      return SyntaxProblem(
        "has \\u{…} in a text, as Swift writes it; write the character itself", at: self.fault)
    default:
      let remedy =
        fault.message.contains("escape")
        ? "write \\\\ for a backslash" : "write the character itself"
      return SyntaxProblem("\(fault.message); \(remedy)", at: fault.offset)
    }
  }

  private static let printed = "is the printed form of a dictionary (NSLog, po); encode it as JSON"

  /// The problem of a comma, a bracket or another mark in a wrong place.
  var punctuationProblem: SyntaxProblem? {
    guard let byte, let bracket = open.last, let last else { return nil }
    let isAfterComma = previous == UInt8(ascii: ",")
    let isAfterColon = previous == UInt8(ascii: ":")
    switch byte {
    case UInt8(ascii: "/") where has("//", at: fault) || has("/*", at: fault), UInt8(ascii: "#"):
      return SyntaxProblem("has a comment, which JSON does not have; remove it", at: fault)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if isAfterComma {
        return SyntaxProblem("has a comma before the closing bracket; remove it", at: last)
      }
      if isAfterColon { return SyntaxProblem("has a key without a value", at: fault) }
      if (byte == UInt8(ascii: "}")) != bracket.isObject {
        return SyntaxProblem(
          bracket.isObject
            ? "has “]” where “}” belongs; close the brackets in the order in which they open"
            : "has “}” where “]” belongs; close the brackets in the order in which they open",
          at: fault)
      }
      return SyntaxProblem("has a key without a colon and a value", at: fault)
    case UInt8(ascii: ","):
      if isAfterColon { return SyntaxProblem("has a key without a value", at: fault) }
      if bracket.isObject, !bracket.takesValue, previous == UInt8(ascii: "\"") {
        return SyntaxProblem("has a key without a colon and a value", at: fault)
      }
      return SyntaxProblem("has a comma too many; remove it", at: fault)
    case UInt8(ascii: ":"):
      if !bracket.isObject {
        return SyntaxProblem(
          "has an object in [ ], as Swift writes a dictionary; write it in { }", at: bracket.offset)
      }
      return SyntaxProblem("has a colon too many, or a comma is missing before the key", at: fault)
    case UInt8(ascii: "="):
      return SyntaxProblem(
        has("=>", at: fault)
          ? "has =>, as PHP and Ruby write an array or hash; encode it as JSON" : Self.printed,
        at: fault)
    case UInt8(ascii: ";"), UInt8(ascii: "("): return SyntaxProblem(Self.printed, at: fault)
    case UInt8(ascii: "\\"):
      return SyntaxProblem(
        "has backslashes before its quotation marks: it is JSON inside a string; remove them",
        at: fault)
    case UInt8(ascii: "'"), UInt8(ascii: "`"):
      return SyntaxProblem("has single quotes; write double quotes", at: fault)
    case UInt8(ascii: "{") where bracket.isObject && !bracket.takesValue:
      return SyntaxProblem(
        last + 1 == fault && previous == UInt8(ascii: "{")
          ? "has a placeholder outside of a text; render the template"
          : "has an object where a key belongs; write a key before it", at: fault)
    case UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "<"):
      return SyntaxProblem("has a placeholder outside of a text; render the template", at: fault)
    case UInt8(ascii: "+"):
      return SyntaxProblem("has a number with a plus sign; remove the sign", at: fault)
    case UInt8(ascii: "."):
      return SyntaxProblem(
        has("..", at: fault)
          ? "has dots in place of something left out; write the whole payload"
          : "has a number that begins with a point; write 0 before it", at: fault)
    default: return nil
    }
  }

  /// The problem of a character that looks like one of JSON's.
  var characterProblem: SyntaxProblem? {
    guard let scalar else { return nil }
    switch scalar.value {
    case 0x2018...0x201F, 0xAB, 0xBB, 0x300C...0x300F, 0xFF02, 0xFF07, 0xB4, 0x2032, 0x2033:
      return SyntaxProblem(
        "has curly quotation marks, as editors and chat programs write them; write \"", at: fault)
    case 0xA0, 0x2000...0x200F, 0x2028...0x202F, 0x2060, 0x3000, 0xFEFF, 0x0B, 0x0C, 0x85, 0x1680:
      let hex = String(scalar.value, radix: 16, uppercase: true)
      let code = String(repeating: "0", count: max(0, 4 - hex.count)) + hex
      return SyntaxProblem(
        "has an invisible character (U+\(code)) outside of a text; remove it", at: fault)
    case 0xFF0C, 0xFF1A, 0x3001, 0xFF5B, 0xFF5D:
      return SyntaxProblem("has full-width punctuation; write that of ASCII", at: fault)
    case 0x2026:
      return SyntaxProblem(
        "has dots in place of something left out; write the whole payload", at: fault)
    case 0x00: return SyntaxProblem("has a zero byte; save the file as UTF-8", at: fault)
    default: return nil
    }
  }

  /// The problem of a number in a form that JSON does not have.
  func numberProblem(_ fault: JSONFault) -> SyntaxProblem? {
    guard text == nil, let previous, let last, last + 1 == fault.offset else { return nil }
    if fault.message.contains("begins with 0") {
      return SyntaxProblem(
        "has a number that begins with 0; remove the zero, or write the number as a string",
        at: fault.offset)
    }
    if previous == UInt8(ascii: "0"), byte.map({ $0 | 0x20 }) == UInt8(ascii: "x") {
      return SyntaxProblem("has a hexadecimal number; write it as a decimal one", at: fault.offset)
    }
    guard fault.message.contains("a digit"), wordProblem == nil, byte != UInt8(ascii: ".") else {
      return nil
    }
    return SyntaxProblem(
      "has a number without a digit after its sign, point or exponent; write the whole number",
      at: fault.offset)
  }

  /// The problem of a word without quotation marks.
  var wordProblem: SyntaxProblem? {
    let word = word(at: fault)
    guard let first = word.unicodeScalars.first, let bracket = open.last else { return nil }
    let isNumber = ("0"..."9").contains(first)
    switch word {
    case "True", "False", "TRUE", "FALSE", "YES", "NO", "yes", "no", "Yes", "No":
      return SyntaxProblem("has \(word), which is not JSON; write true or false", at: fault)
    case "None", "nil", "Nil", "NULL", "Null", "undefined", "NSNull":
      return SyntaxProblem("has \(word), which is not JSON; remove the key", at: fault)
    case "NaN", "nan", "Infinity", "inf", "Inf":
      return SyntaxProblem("has \(word), which JSON does not have; send a number", at: fault)
    default: break
    }
    let next = skippingSpace(from: fault + word.utf8.count)
    if word == "u" || word == "b", has("'", at: next) || has("\"", at: next) {
      return SyntaxProblem("is the printed form of a Python dictionary; use json.dumps", at: fault)
    }
    if fault + word.utf8.count == bytes.count, !isNumber { return cutOff(bracket) }
    // The value is complete, so a quotation mark inside it has ended the text too early.
    if previous == UInt8(ascii: "\""), bracket.takesValue {
      // The word is a key, so the apparent end of the text is the quotation mark before the key.
      if let closedText, has("\":", at: fault + word.utf8.count) {
        return SyntaxProblem(
          "has a text without a closing quotation mark; add it before the next key", at: closedText)
      }
      return SyntaxProblem(
        "has a quotation mark inside a text; write \\\" there, or a comma is missing here",
        at: fault)
    }
    let isAfterStart = previous == UInt8(ascii: "{") || previous == UInt8(ascii: ",")
    if bracket.isObject, !bracket.takesValue, isAfterStart {
      return SyntaxProblem(
        has("=", at: next)
          ? Self.printed : "has a key without quotation marks; write it in double quotes",
        at: fault)
    }
    if previous.map(":,[".utf8.contains) ?? false, !isNumber {
      return SyntaxProblem("has a text without quotation marks; write double quotes", at: fault)
    }
    return nil
  }

  /// The problem of a comma or a colon that is missing before the next token.
  var missingMark: SyntaxProblem? {
    guard let bracket = open.last, let previous, let byte else { return nil }
    let isStart =
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{")
      || byte == UInt8(ascii: "[") || !word(at: fault).isEmpty || byte == UInt8(ascii: "-")
    let endsValue =
      "\"}]".utf8.contains(previous) || (0x30...0x39).contains(previous)
      || (0x61...0x7A).contains(previous)
    guard isStart, endsValue else { return nil }
    if bracket.isObject, !bracket.takesValue {
      return SyntaxProblem("has a key without a colon; write : after the key", at: fault)
    }
    return SyntaxProblem("has no comma between two values; write , before this one", at: fault)
  }
}
