const { expect, test } = require("@playwright/test");
const { playwrightFixtures } = require("./fixtures.js");

module.exports = { expect, test: test.extend(playwrightFixtures()) };
