#include <openssl/crypto.h>

#include "COpenSSLExit.h"

// OpenSSL frees its locks in a handler of `exit`, and takes them when a thread ends. A thread of the event loop that ends while
// the program exits would take a freed one. The system frees all of it at once, so the handler is never registered: whichever
// call comes first decides that (OPENSSL_init_crypto(3)).
__attribute__((constructor)) static void keep_until_the_end(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
