import { type FaultName, hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

const faults: FaultName[] = [
  "metadata.dropped", // the connection breaks
  "metadata.not_found",
  "token.unavailable", // 503 with Retry-After
  "token.html", // the page of a proxy, with 502
  "token.malformed_json",
];

describe("While the provider is down", () => {
  for (const fault of faults) {
    it(`rejects the login, and lets Alice in after that: ${fault}`, async () => {
      await using lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirectUri] }] });
      const signIn = async () => {
        const login = await beginLogin(lab.issuer, lab.fetch);
        const { callback } = await lab.authorize(login.url, { user: "alice" });
        return await login.finish(callback);
      };
      const { id } = lab.fault(fault);
      await assert.rejects(signIn);
      lab.faults.remove(id);
      const { sub, profile } = await signIn();
      assert.equal(sub, "alice");

      lab.next("userinfo", { status: 500, body: "oops" }); // any response, once
      await assert.rejects(profile);
      assert.equal((await profile()).name, "Alice Adler");
    });
  }
});
