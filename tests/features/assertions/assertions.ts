import { importJWK, type JWK, SignJWT } from "jose";
import { demoIssuerKey } from "../../../src/lab/demo/demo_keys.ts";
import type { FlowKit } from "../../support/flow_kit.ts";

/** The `typ` of an ID-JAG. */
export const idJagType = "oauth-id-jag+jwt";

/** What a test changes about an assertion; a member that is undefined is left out. */
export interface AssertionChanges {
  claims?: object;
  typ?: string;
  /** The private key that signs. Default: that of the demo issuer. */
  key?: JWK;
}

let made = 0;

/** Signs an assertion of the demo issuer about alice, in order but for what a test changes. */
export async function demoAssertion(
  kit: Pick<FlowKit, "issuer" | "clock">,
  { claims, typ, key = demoIssuerKey }: AssertionChanges = {},
): Promise<string> {
  const iat = kit.clock.now / 1000;
  const jti = `assertion-${made++}`;
  const all = { iss: "https://issuer.example", sub: "alice", aud: kit.issuer, jti };
  return await new SignJWT({ ...all, iat, exp: iat + 60, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: key.kid ?? "", ...typ && { typ } })
    .sign(await importJWK(key, "ES256"));
}

/** Signs an ID-JAG of the demo issuer for demo-service. */
export async function demoIdJag(
  kit: Pick<FlowKit, "issuer" | "clock">,
  claims: object = {},
): Promise<string> {
  const changes = { claims: { client_id: "demo-service", ...claims }, typ: idJagType };
  return await demoAssertion(kit, changes);
}
