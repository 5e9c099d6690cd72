// Written with the audience page.
