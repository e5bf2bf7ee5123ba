// Our CI has no Docker. It checks the types of this file, and runs start_hallpass.ts with the
// binary.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import * as testcontainers from "testcontainers";
import { type HallpassContainer, startHallpass } from "./start_hallpass.ts";

let lab: HallpassContainer;

before(async () => {
  const shop = { id: "shop", redirectUris: ["http://localhost:3000/callback"] };
  lab = await startHallpass(testcontainers, "hallpass", { clients: [shop], signIn: "alice" });
});

after(() => lab.stop());

it("starts at the address that its metadata names", async () => {
  const response = await fetch(`${lab.issuer}/.well-known/openid-configuration`);
  assert.equal((await response.json()).issuer, lab.issuer);
});
