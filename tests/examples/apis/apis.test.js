// Libraries with which APIs check access tokens, each with the keys of a lab that has no port.
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { libraries } from "./libraries.js";

const issuer = "https://id.example/";
const audience = "https://api.example";
const jwksUri = "https://id.example/.well-known/jwks.json";

const lab = await hallpass({
  issuer,
  paths: { jwks: "/.well-known/jwks.json" },
  resources: [audience],
});
const interception = lab.intercept({ http: true });
after(async () => {
  interception.restore();
  await lab.close();
});

const valid = { sub: "alice", scope: "read", audience, kind: "access" };

/** Tokens that every API must refuse. */
const refused = {
  "has expired": { expiresIn: "-1m" },
  "is for another API": { audience: "https://other.example" },
  "comes from another issuer": { claims: { iss: "https://other.example/" } },
  "names an unknown key": { header: { kid: "unknown" } },
  "was signed with a secret": { secret: "a-secret-that-the-server-does-not-know" },
  "is an ID token": { kind: "id", audience: undefined },
};

for (const [library, open] of Object.entries(libraries)) {
  describe(library, async () => {
    const subjectOf = await open({ issuer, audience, jwksUri });

    it("accepts a token of the lab", async () => {
      assert.equal(await subjectOf((await lab.mint(valid)).token), "alice");
    });

    for (const [what, changes] of Object.entries(refused)) {
      it(`refuses a token that ${what}`, async () => {
        const { token } = await lab.mint({ ...valid, ...changes });
        assert.equal(await subjectOf(token).catch(() => undefined), undefined);
      });
    }
  });
}
