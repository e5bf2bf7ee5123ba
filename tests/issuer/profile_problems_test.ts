import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openStrictKit } from "../support/kit.ts";

const redirectUris = ["https://app.example/cb"];
const weak = { id: "weak", secret: "weak-secret-of-22-chars", redirectUris };
const strong = {
  id: "strong",
  redirectUris,
  authentication: ["private_key_jwt" as const],
  jwksUri: "https://app.example/jwks",
};

describe("A profile that is newer than the clients in the store", () => {
  it("Y8: refuses those that break its rules when they are used, and no others", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    const strict = openStrictKit({ store, profile: "fapi-2.0" }).server.context;
    await addClient(context, weak);
    await addClient(strict, strong);
    const known = (ctx: typeof context) =>
      Promise.all(["weak", "strong"].map(async (id) => (await findClient(ctx, id))?.id));
    assertEquals(await known(context), ["weak", "strong"]);
    assertEquals(await known(strict), [undefined, "strong"]);
  });
});
