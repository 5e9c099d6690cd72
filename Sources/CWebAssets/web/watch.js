// Written with the watch page.
