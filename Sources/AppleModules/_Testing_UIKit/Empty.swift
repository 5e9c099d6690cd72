// The compiler imports a module of this name into files that import Testing and UIKit. Apple's attaches images to tests.
