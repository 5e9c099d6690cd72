#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function a type.
static inline CURLcode martlet_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode martlet_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode martlet_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode martlet_curl_set_write(CURL *easy, curl_write_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
static inline long martlet_curl_status(CURL *easy) {
  long value = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &value);
  return value;
}
static inline const char *martlet_curl_string(CURL *easy, CURLINFO info) {
  const char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline long long martlet_curl_content_length(CURL *easy) {
  curl_off_t value = -1;
  curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &value);
  return (long long)value;
}
static inline void *martlet_curl_private(CURL *easy) {
  void *value = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}
// The message queue holds a union; this reads the one member that CURLMSG_DONE sets.
static inline CURL *martlet_curl_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
