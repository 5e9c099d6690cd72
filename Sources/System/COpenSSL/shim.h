#pragma once
#if !__has_include(<openssl/bio.h>)
#error "openssl/bio.h is missing; install libssl-dev"
#endif
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros and variadic functions, which Swift cannot see.

static inline EVP_PKEY *martlet_generate_p256(void) { return EVP_EC_gen("P-256"); }

static inline long martlet_BIO_get_mem_data(BIO *bio, const unsigned char **data) {
  return BIO_get_mem_data(bio, (char **)data);
}

// A password callback without a password, because without a callback OpenSSL asks on the terminal.
static inline int martlet_no_password(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

static inline EVP_PKEY *martlet_PEM_read_private_key(BIO *bio) {
  return PEM_read_bio_PrivateKey(bio, NULL, martlet_no_password, NULL);
}

static inline X509 *martlet_PEM_read_certificate(BIO *bio) {
  return PEM_read_bio_X509(bio, NULL, martlet_no_password, NULL);
}

static inline long martlet_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

static inline int martlet_SSL_CTX_set_min_tls_1_2(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline void martlet_SSL_CTX_set_nonblocking_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context, 1);
}

static inline void martlet_SSL_CTX_release_buffers(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline int martlet_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline void martlet_X509V3_set_ctx(X509V3_CTX *context, X509 *issuer, X509 *subject) {
  X509V3_set_ctx_nodb(context);
  X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
}

// Takes the first certificate off a stack, which the caller must free; NULL if the stack is empty.
static inline X509 *martlet_take_certificate(STACK_OF(X509) *stack) { return sk_X509_shift(stack); }
static inline void martlet_free_certificates(STACK_OF(X509) *stack) {
  sk_X509_pop_free(stack, X509_free);
}
