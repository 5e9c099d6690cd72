// Empty: the module's existence makes `#if canImport(Darwin)` true.
