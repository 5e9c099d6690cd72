#include <openssl/crypto.h>

#include "COpenSSLExit.h"

// OpenSSL frees its locks in a handler of `exit`, and takes them when a thread ends. If a thread of the event loop
// ended while the program exits, it would take a freed one. The handler is never registered, because the system frees
// everything at once. The first call decides that (OPENSSL_init_crypto(3)).
__attribute__((constructor)) static void keep_until_the_end(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
