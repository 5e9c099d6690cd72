// CardTests: to come.
