// Apple's module has the store of log messages, and exports `os`. The store is not there.
@_exported public import os
