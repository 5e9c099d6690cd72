#include "CConformance.h"

// #embed is C23; SwiftPM compiles C with an older default.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char server_requests[] = {
#embed "../../../Conformance/server/requests.json"
};
static const unsigned char server_headers[] = {
#embed "../../../Conformance/server/headers.json"
};
static const unsigned char server_provider_tokens[] = {
#embed "../../../Conformance/server/provider-tokens.json"
};
static const unsigned char server_answers[] = {
#embed "../../../Conformance/server/answers.json"
};
static const unsigned char server_channels[] = {
#embed "../../../Conformance/server/channels.json"
};
static const unsigned char client_requests[] = {
#embed "../../../Conformance/client/requests.json"
};
static const unsigned char client_answers[] = {
#embed "../../../Conformance/client/answers.json"
};
static const unsigned char client_connections[] = {
#embed "../../../Conformance/client/connections.json"
};
static const unsigned char phone_requests[] = {
#embed "../../../Conformance/phone/requests.json"
};
static const unsigned char phone_service_extension[] = {
#embed "../../../Conformance/phone/service-extension.json"
};
static const unsigned char phone_attachments[] = {
#embed "../../../Conformance/phone/attachments.json"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}
static const struct martlet_conformance_file files[] = {
    FILE("server/requests.json", server_requests),
    FILE("server/headers.json", server_headers),
    FILE("server/provider-tokens.json", server_provider_tokens),
    FILE("server/answers.json", server_answers),
    FILE("server/channels.json", server_channels),
    FILE("client/requests.json", client_requests),
    FILE("client/answers.json", client_answers),
    FILE("client/connections.json", client_connections),
    FILE("phone/requests.json", phone_requests),
    FILE("phone/service-extension.json", phone_service_extension),
    FILE("phone/attachments.json", phone_attachments),
};

const struct martlet_conformance_file *martlet_conformance_file(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
