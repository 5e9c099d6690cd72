// Compiles and renders any bytes as a template. It is refused or stays within its limits, and never crashes.
import Liquid

/// An object that has a member for each name, whose type depends on the name's length.
private struct AnyContext: LiquidObject {
  func member(_ name: String) -> LiquidValue {
    switch name.utf8.count % 7 {
    case 0: .null
    case 1: .string("Zoë \u{1F468}\u{200D}\u{1F469} 12")
    case 2: .integer(-3)
    case 3: .number(0.5)
    case 4: .array([.integer(2), .string("b"), .null, .object(self)])
    case 5: .object(name.hasPrefix("a") ? ListedObject() : self)
    default: .bool(true)
    }
  }
}

/// An object whose members are listed, and one of which has the same members.
private struct ListedObject: LiquidObject {
  var depth = 0
  var names: [String]? { depth < 3 ? ["size", "b\"", "c"] : [] }

  func member(_ name: String) -> LiquidValue {
    switch name {
    case "size": .string("\n\u{0}")
    case "c": .object(ListedObject(depth: depth + 1))
    case "b\"": .array([.array([.integer(1), .null]), .range(1, 3)])
    default: .null
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  var limits = Template.Limits()
  limits.steps = 2000
  guard let template = try? Template(source, limits: limits) else { return 0 }
  var output: [UInt8] = []
  let isWhole = (try? template.render(AnyContext(), now: 1_795_253_400, into: &output)) != nil
  if isWhole { precondition(output.count <= limits.output) }
  if let constant = template.constant, isWhole { precondition(constant == output) }
  return 0
}
