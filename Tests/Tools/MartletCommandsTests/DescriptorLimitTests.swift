import Testing

@testable import MartletCommands

@Suite("The limit of open files")
struct DescriptorLimitTests {
  @Test(
    "connections leave a reserve free",
    arguments: [(224, 32), (256, 48), (1024, 432), (8352, 4096), (1_048_576, 4096)])
  func connections(_ descriptors: Int, _ connections: Int) throws {
    let limit = DescriptorLimit(descriptors: descriptors)
    try limit.check()
    #expect(limit.connections == connections)
  }

  @Test("a limit that is too small is refused in words", arguments: [0, 64, 223])
  func tooSmall(_ descriptors: Int) {
    #expect {
      try DescriptorLimit(descriptors: descriptors).check()
    } throws: {
      "\($0)".contains("may open \(descriptors) files, and martlet serve needs 224")
    }
  }
}
