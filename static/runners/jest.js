const { withLab } = require("./fixtures.js");
const { loadError } = require("./load_error.js");

const { expect, test: base } = loadJest();

function loadJest() {
  try {
    return require("@jest/globals");
  } catch (cause) {
    throw loadError(cause, "jest", "jest @jest/globals");
  }
}

/** Returns Jest's `test` for tests that get a lab with these options. */
function testWith(options) {
  const wrap = (define) => (title, test, timeout) =>
    define(title, withLab((lab) => test({ lab }), options), timeout);
  return Object.assign(wrap(base), {
    only: wrap(base.only),
    skip: wrap(base.skip),
    failing: wrap(base.failing),
    todo: base.todo,
  });
}

const test = testWith();
module.exports = { expect, it: test, test, testWith };
