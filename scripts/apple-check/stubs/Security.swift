// The declarations of Apple's Security that Martlet uses.
