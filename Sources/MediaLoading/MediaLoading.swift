// MediaLoading: to come.
