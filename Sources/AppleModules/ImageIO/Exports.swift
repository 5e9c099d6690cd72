// Apple's module exports Core Graphics too.
@_exported public import CoreGraphics
