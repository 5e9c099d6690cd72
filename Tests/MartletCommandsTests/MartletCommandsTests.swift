// MartletCommandsTests: to come.
