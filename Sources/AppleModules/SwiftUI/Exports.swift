// Apple's module exports these too.
@_exported public import Combine
@_exported public import UIKit
@_exported public import UniformTypeIdentifiers
