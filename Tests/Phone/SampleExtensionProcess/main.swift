import Foundation
import NotificationHost
import SampleExtensions

// The extension that the first argument names, as a process.
let name = CommandLine.arguments.dropFirst().first ?? ""
if name == "LingeringExtension" { ExtensionMain.run { LingeringExtension() } }
guard SampleCatalog.names.contains(name) else {
  FileHandle.standardError.write(Data("no extension has the name “\(name)”\n".utf8))
  exit(2)
}
ExtensionMain.run { SampleCatalog.make(name)! }
