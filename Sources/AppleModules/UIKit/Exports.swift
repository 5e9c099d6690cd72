// Apple's module exports these two.
@_exported public import CoreGraphics
@_exported public import Foundation
