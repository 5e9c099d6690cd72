// Apple's module has the geometry, which on Linux is Foundation's.
@_exported public import Foundation
