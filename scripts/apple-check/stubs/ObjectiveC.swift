// Empty: the module's existence makes `#if canImport(ObjectiveC)` true.
