// APNs: to come.
