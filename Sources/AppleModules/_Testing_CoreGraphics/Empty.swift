// The compiler imports a module of this name into files that import Testing and CoreGraphics.
// Apple's attaches images to tests.
