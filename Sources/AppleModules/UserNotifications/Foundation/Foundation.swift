// Apple's module exports Foundation too. This import also gives the types of this folder precedence over
// the unavailable declarations of Foundation on Linux.
@_exported public import Foundation
