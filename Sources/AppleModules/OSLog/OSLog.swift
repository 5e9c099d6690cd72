// Apple's module has the store of log messages, and exports `os`. This one has no store.
@_exported public import os
