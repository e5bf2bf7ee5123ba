const assert = require("node:assert");
const { createProvider, hallpass } = require("hallpass/testing");

describe("Mocha", () => {
  it("opens a lab", async () => {
    const lab = await hallpass();
    assert.equal((await lab.fetch(`${lab.issuer}/oauth2/jwks`)).status, 200);
    await lab.close();
  });
});

describe("A suite whose fixtures wait for callbacks", () => {
  const provider = createProvider({ signIn: "alice" });

  before((done) => {
    provider.listen(0, done); // or the port that the application expects
  });
  after((done) => {
    provider.close(done);
  });

  it("has a provider that listens", async () => {
    const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
    assert.equal((await response.json()).issuer, provider.issuer);
    provider.lab.assertClean();
  });
});
