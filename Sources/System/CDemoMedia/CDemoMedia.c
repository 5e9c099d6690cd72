#include "CDemoMedia.h"

// #embed is C23; SwiftPM compiles C with an older default.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Made by scripts/make-fixtures.
static const unsigned char cloudy[] = {
#embed "../../../Tests/Fixtures/media/cloudy.gif"
};
static const unsigned char picture[] = {
#embed "../../../Tests/Fixtures/media/picture.png"
};
static const unsigned char gold[] = {
#embed "../../../Tests/Fixtures/media/gold.mp4"
};

static const struct martlet_demo_medium media[] = {
    {"cloudy.gif", "image/gif", cloudy, sizeof cloudy},
    {"picture.png", "image/png", picture, sizeof picture},
    {"gold.mp4", "video/mp4", gold, sizeof gold},
};

const struct martlet_demo_medium *martlet_demo_medium(size_t index) {
  return index < sizeof media / sizeof *media ? &media[index] : NULL;
}
