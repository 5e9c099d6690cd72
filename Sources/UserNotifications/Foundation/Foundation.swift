// As Apple's module does. It also lets the types of this folder stand before those that Foundation on
// Linux keeps as unavailable names.
@_exported public import Foundation
