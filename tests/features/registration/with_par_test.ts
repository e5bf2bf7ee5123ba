import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { openStrictKit } from "../../support/kit.ts";
import { register } from "../../support/registration.ts";

const redirectUris = ["https://app.example/cb"];

describe("A server that requires pushed requests", () => {
  it("requires them of clients that were stored or registered before, as its metadata says", async () => {
    const config = { store: memoryStore(), registration: "open" as const };
    const before = openStrictKit(config);
    await addClient(before.server.context, { id: "app", redirectUris });
    const { body } = await register(before);
    const after = openStrictKit({ ...config, requirePar: true });
    for (const client_id of ["app", `${body.client_id}`]) {
      const request = { client_id, redirect_uri: redirectUris[0], scope: "openid" };
      const response = await after.ask({ ...request, prompt: "none" });
      const error = response.headers.get("Location") ?? await response.text();
      assertMatch(decodeURIComponent(error), /must send a request_uri/);
      assertEquals((await after.push(request)).status, 201);
    }
  });
});
