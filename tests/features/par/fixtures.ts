import type { FeatureFixtures } from "../../support/feature_fixtures.ts";
import { type Fields, type FlowKit, read, type ReadResponse } from "../../support/flow_kit.ts";

/** Pushes an authorization request of demo-spa, with a test's changes. */
export async function pushRequest(
  kit: FlowKit,
  changes: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  const { searchParams } = new URL(kit.authorizationUrl(changes));
  return await read(await kit.post("/oauth2/par", Object.fromEntries(searchParams), headers));
}

export const parFixtures: FeatureFixtures = {
  name: "pushed authorization requests",
  clientEndpoints: ["par"],
  paths: { par: "/oauth/par" },
  otherClients: [{
    id: "pushing",
    redirectUris: ["https://hallpass.test/authorized"],
    requirePar: true,
  }],
  begin: pushRequest,
  endpointFields: { pushed_authorization_request_endpoint: "par" },
};
