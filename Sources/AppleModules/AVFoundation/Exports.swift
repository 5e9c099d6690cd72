// Apple's module exports these too.
@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreGraphics
