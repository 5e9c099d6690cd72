// APNsSandbox: to come.
