// Empty: that it can be imported makes `#if canImport(ObjectiveC)` true.
