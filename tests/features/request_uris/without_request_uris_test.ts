import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openStrictKit, spa } from "../../support/kit.ts";
import { itKnowsNoClient } from "../../support/without_feature.ts";
import { app } from "./published_requests.ts";

const feature = "request objects by reference";
const reads = { requestUris: true, fetchUntrusted: () => Promise.resolve(new Response()) };

describe("A server without request objects by reference", () => {
  itKnowsNoClient("publishes its requests", app, feature, reads);

  it("announces and reads none", async () => {
    const kit = openStrictKit({ clients: [spa()] }, feature);
    assertEquals((await kit.metadata()).request_uri_parameter_supported, false);
    const request_uri = "https://app.example/request.jwt";
    const { error } = Object.fromEntries(await kit.authorize({ request_uri }));
    assertEquals(error, "request_uri_not_supported");
  });
});
