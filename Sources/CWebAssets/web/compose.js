// Written with the composer.
