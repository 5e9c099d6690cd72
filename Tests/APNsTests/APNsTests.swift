// APNsTests: to come.
