#pragma once
#if !__has_include(<microhttpd.h>)
#error "microhttpd.h is missing; install libmicrohttpd-dev"
#endif
#include <microhttpd.h>

// MHD_start_daemon and MHD_get_connection_info are variadic, which Swift cannot call.
static inline struct MHD_Daemon *martlet_mhd_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
    const struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options,
                          MHD_OPTION_END);
}

static inline int martlet_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline const struct sockaddr *martlet_mhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

static inline void *martlet_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

// Macros that are casts, which Swift does not import.
static const ssize_t martlet_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const uint64_t martlet_mhd_size_unknown = MHD_SIZE_UNKNOWN;
