const assert = require("node:assert");
const { hallpass } = require("hallpass/testing");

describe("Mocha", () => {
  it("opens a lab", async () => {
    const lab = await hallpass();
    assert.equal((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 200);
    await lab.close();
  });
});
