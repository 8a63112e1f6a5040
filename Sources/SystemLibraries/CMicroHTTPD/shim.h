// SPDX-License-Identifier: Apache-2.0
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>

/* MHD_start_daemon takes any number of arguments, which Swift cannot call. */

static inline struct MHD_Daemon *cairn_http_start(
    int listener, unsigned connections, unsigned idle_seconds, size_t connection_bytes,
    MHD_NotifyConnectionCallback connected,
    void *(*addressed)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, void *context) {
  return (MHD_start_daemon)(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      connection_bytes, MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_URI_LOG_CALLBACK, addressed, context, MHD_OPTION_NOTIFY_COMPLETED, completed,
      context, MHD_OPTION_END);
}

static inline int cairn_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

static inline struct MHD_Response *cairn_http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
#endif
