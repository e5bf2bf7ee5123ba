const { playwrightFixtures } = require("./fixtures.js");
const { loadError } = require("./load_error.js");

const { expect, test } = loadPlaywright();

function loadPlaywright() {
  try {
    return require("@playwright/test");
  } catch (cause) {
    throw loadError(cause, "playwright", "@playwright/test");
  }
}

module.exports = { expect, test: test.extend(playwrightFixtures()) };
