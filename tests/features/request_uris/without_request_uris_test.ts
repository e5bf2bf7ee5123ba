import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { app } from "./published_requests.ts";

const reads = { requestUris: true, fetchUntrusted: () => Promise.resolve(new Response()) };

describe("A server without request objects by reference, on the store of one that had them", () => {
  it("knows no stored client that publishes its requests", async () => {
    const { whole, without } = openWithAndWithout("request objects by reference", {}, reads);
    await addClient(whole.server.context, app);
    assertEquals((await findClient(whole.server.context, "app"))?.id, "app");
    assertEquals(await findClient(without.server.context, "app"), undefined);
  });

  it("announces and reads none", async () => {
    const { without } = openWithAndWithout("request objects by reference", {}, reads);
    const metadata = without.server.context.metadata();
    assertEquals(metadata.request_uri_parameter_supported, false);
    const request_uri = "https://app.example/request.jwt";
    const { url } = await without.browser().open(without.authorizationUrl({ request_uri }));
    assertEquals(new URL(url).searchParams.get("error"), "request_uri_not_supported");
  });
});
