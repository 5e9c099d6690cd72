// Apple's module exports AVFoundation too; its views do not exist here.
@_exported public import AVFoundation
