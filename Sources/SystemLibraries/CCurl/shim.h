// SPDX-License-Identifier: Apache-2.0
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo take any number of arguments, which Swift cannot call. */

static inline CURLcode cairn_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode cairn_curl_set_number(CURL *handle, CURLoption option, long value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode cairn_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode cairn_curl_set_buffer(CURL *handle, CURLoption option, char *value) {
  return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode cairn_curl_set_writer(
    CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, writer);
  return code ? code : (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
}

static inline CURLcode cairn_curl_set_header_reader(
    CURL *handle, size_t (*reader)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, reader);
  return code ? code : (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
}

static inline CURLcode cairn_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return (curl_easy_setopt)(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode cairn_curl_get_number(CURL *handle, CURLINFO info, long *value) {
  return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode cairn_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return (curl_easy_getinfo)(handle, info, value);
}
#endif
