// Repairs two things of Playwright's driver, which Node reads this file before, for Firefox ESR 153.
//
// The driver emulates media by emulation.setMediaFeaturesOverride, a command of WebDriver BiDi that this Firefox does not
// have; here it sets the overrides that Firefox's developer tools set, which needs --remote-allow-system-access. And `fill`
// appends to the value of a number field rather than replacing it.
"use strict";

const Module = require("node:module");

// Runs at the end of the driver's source, in its scope.
function repair() {
  init_bidiBrowser();

  BidiBrowserContext2.prototype.doUpdateDefaultEmulatedMedia = async () => {};

  BidiPage.prototype.updateEmulateMedia = async function () {
    const { media, colorScheme, reducedMotion } = this._page.emulatedMedia();
    const overrides = {
      // First, so that the other scheme does not fade in.
      prefersReducedMotionOverride: reducedMotion,
      prefersColorSchemeOverride: colorScheme,
      mediumOverride: media === "no-override" ? "" : media,
    };
    const { contexts } = await this._session.send("browsingContext.getTree", { "moz:scope": "chrome" });
    const result = await this._session.send("script.callFunction", {
      functionDeclaration: `(id, overrides) => {
        const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
        Object.assign(NavigableManager.getBrowsingContextById(id), JSON.parse(overrides));
      }`,
      arguments: [this._session.sessionId, JSON.stringify(overrides)].map((value) => ({ type: "string", value })),
      target: { context: contexts[0].context },
      awaitPromise: false,
    });
    if (result.type === "exception") throw new Error(result.exceptionDetails.text);
  };

  RawKeyboardImpl2.prototype.sendText = async function (progress, text) {
    const context = await progress.race(this._page._page.mainFrame().mainContext());
    await progress.race(context.evaluate((text) => document.execCommand("insertText", false, text), text));
  };
}

const compile = Module.prototype._compile;
Module.prototype._compile = function (source, path, ...rest) {
  return compile.call(this, path.endsWith("/coreBundle.js") ? `${source};(${repair})();` : source, path, ...rest);
};
