import { assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/server/issuer/admin/clients.ts";
import { checkProfile } from "../../src/server/issuer/clients/check_profile.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openStrictKit } from "../support/kit.ts";

const redirectUris = ["https://app.example/cb"];
const weak = { id: "weak", secret: "weak-secret-of-22-chars", redirectUris };

describe("checkProfile", () => {
  it("refuses a client that the store got under another profile, unless it is disabled", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    const strict = openStrictKit({ store, profile: "fapi-2.0" }).server.context;
    await checkProfile(strict);
    await addClient(context, { ...weak, id: "off", disabled: true });
    await checkProfile(strict);
    await addClient(context, weak);
    await checkProfile(context);
    await assertRejects(() => checkProfile(strict), Error, "client 'weak' in the store");
  });
});
