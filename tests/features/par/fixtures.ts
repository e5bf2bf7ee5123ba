import { makeProof, proofKey } from "../../support/dpop.ts";
import type { FeatureFixtures, Holder } from "../../support/feature_fixtures.ts";
import { basic, type FlowKit } from "../../support/flow_kit.ts";

const redirectUri = "https://hallpass.test/authorized";
const secret = "a-secret-of-a-client-that-pushes-its-requests";

/** Pushes a request and redeems its code, with a DPoP key. */
async function pushAndRedeem(kit: FlowKit, password: string): Promise<number> {
  const headers = basic("pusher", secret);
  const { body: { request_uri } } = await kit.push({ client_id: undefined }, headers);
  const code = await kit.code({ client_id: "pusher", request_uri }, { password });
  const { now } = kit.clock;
  const DPoP = await makeProof(await proofKey(), "POST", `${kit.issuer}/oauth2/token`, { now });
  return (await kit.redeem(code, { client_id: undefined }, { ...headers, DPoP })).status;
}

/** Returns a request that the application of a user has pushed. */
async function holdRequest({ kit, headers, redirectUri, scope }: Holder) {
  const asked = { client_id: undefined, redirect_uri: redirectUri, scope };
  const { body: { request_uri } } = await kit.push(asked, headers);
  const works = async () => (await kit.ask({ client_id: "app", request_uri })).status === 303;
  return { "pushed request": { endsWith: "application", works } as const };
}

export const parFixtures: FeatureFixtures = {
  name: "pushed authorization requests",
  clientEndpoints: ["par"],
  paths: { par: "/oauth/par" },
  clients: [{ id: "pusher", secret, redirectUris: [redirectUri], accessTokenFormat: "opaque" }],
  otherClients: [{ id: "pushing", redirectUris: [redirectUri], requirePar: true }],
  flows: { "a pushed request with a DPoP key, and opaque tokens": pushAndRedeem },
  credentials: ["request_uri"],
  held: holdRequest,
  begin: (kit, changes, headers) => kit.push(changes, headers),
  endpointFields: { pushed_authorization_request_endpoint: "par" },
};
