import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { basic, openKit, openStrictKit } from "../../support/kit.ts";
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

describe("What one network may have stored in a minute", () => {
  it("M8: is counted where a client has authenticated that anyone could have registered", async () => {
    const kit = openKit({ storedBytesPerMinute: 10_000 });
    kit.address = "192.0.2.66";
    const changes = { token_endpoint_auth_method: "client_secret_basic" };
    const { body: { client_id, client_secret } } = await register(kit, changes);
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n++) {
      const asked = { client_id, redirect_uri: redirectUris[0] };
      statuses.add((await kit.push(asked, basic(client_id, client_secret))).status);
    }
    assertEquals([...statuses], [201, 429]);
  });
});
