#include "CWebAssets.h"

// #embed is C23; SwiftPM compiles C with an older default.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "web/style.css"
};
static const unsigned char icon[] = {
#embed "web/icon.svg"
};
static const unsigned char page[] = {
#embed "web/page.js"
};
static const unsigned char compose[] = {
#embed "web/compose.js"
};
static const unsigned char message[] = {
#embed "web/message.js"
};
static const unsigned char preview[] = {
#embed "web/preview.js"
};
static const unsigned char watch[] = {
#embed "web/watch.js"
};
static const unsigned char audience[] = {
#embed "web/audience.js"
};
static const unsigned char copy[] = {
#embed "web/copy.js"
};
static const unsigned char charts[] = {
#embed "web/charts.js"
};
static const unsigned char zone[] = {
#embed "web/zone.js"
};
static const unsigned char campaign[] = {
#embed "web/campaign.js"
};
static const unsigned char review[] = {
#embed "web/review.js"
};
static const unsigned char calendar[] = {
#embed "web/calendar.js"
};
static const unsigned char insert[] = {
#embed "web/insert.js"
};
static const unsigned char passkey[] = {
#embed "web/passkey.js"
};
static const unsigned char import[] = {
#embed "web/import.js"
};

#define SCRIPT "text/javascript; charset=utf-8"
static const struct martlet_web_asset assets[] = {
    {"style.css", "text/css; charset=utf-8", style, sizeof style},
    {"icon.svg", "image/svg+xml", icon, sizeof icon},
    {"page.js", SCRIPT, page, sizeof page},
    {"compose.js", SCRIPT, compose, sizeof compose},
    {"message.js", SCRIPT, message, sizeof message},
    {"preview.js", SCRIPT, preview, sizeof preview},
    {"watch.js", SCRIPT, watch, sizeof watch},
    {"audience.js", SCRIPT, audience, sizeof audience},
    {"copy.js", SCRIPT, copy, sizeof copy},
    {"charts.js", SCRIPT, charts, sizeof charts},
    {"zone.js", SCRIPT, zone, sizeof zone},
    {"campaign.js", SCRIPT, campaign, sizeof campaign},
    {"review.js", SCRIPT, review, sizeof review},
    {"calendar.js", SCRIPT, calendar, sizeof calendar},
    {"insert.js", SCRIPT, insert, sizeof insert},
    {"passkey.js", SCRIPT, passkey, sizeof passkey},
    {"import.js", SCRIPT, import, sizeof import},
};

const struct martlet_web_asset *martlet_web_asset(size_t index) {
  return index < sizeof assets / sizeof *assets ? &assets[index] : NULL;
}
