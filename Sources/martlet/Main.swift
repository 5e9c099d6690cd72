import Foundation
import MartletCommands

@main
enum Main {
  static func main() async {
    let code = await Martlet().run(Array(CommandLine.arguments.dropFirst()), .process)
    exit(code.rawValue)
  }
}
