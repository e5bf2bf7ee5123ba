import type { SigningAlgorithm } from "../../../server/model/signing.ts";
import { demoIssuer } from "../../demo/demo_issuer.ts";
import { openTestLab } from "../../testing/hallpass.ts";
import type { TestLab } from "../../testing/test_lab.ts";
import { createMockResponder, type MockService } from "./mock_responder.ts";
import type { OAuth2Issuer } from "./oauth2_issuer.ts";
import { mockUser } from "./token.ts";

/** The algorithms of keys that the server knows, by those of a store. */
const serverAlgs: Readonly<Record<string, SigningAlgorithm>> = {
  RS256: "RS256",
  PS256: "PS256",
  ES256: "ES256",
  EdDSA: "EdDSA",
  Ed25519: "EdDSA",
};

/** Opens the lab behind a service: as lenient as its settings allow, for what the peer accepts. */
export async function openMockLab(service: MockService): Promise<TestLab> {
  const { issuer, endpoints: { wellKnownDocument: _, endSession, ...paths } } = service;
  const lab = await openTestLab({
    issuer: originOf(issuer.url),
    paths: { ...paths, logout: endSession },
    users: [{ name: mockUser, sub: mockUser }],
    clients: [],
    // The test may choose any issuer URL, even that of the demo issuer.
    trustedIssuers: [{ ...demoIssuer(), issuer: "https://trusted-issuer.invalid" }],
    signIn: mockUser,
    anyClient: true,
    anyScope: true,
    anyGrant: { user: mockUser, scopes: ["openid"] },
    unknownClientPkce: "optional",
    clientDefaults: { redirectUriAtToken: "if-present" },
    redirectStatus: 302,
    insecure: { httpRedirectUris: true },
    errorUri: false,
    // The listener is for clients. What the test does with the lab, it does in process.
    controlApart: true,
  }, { standIn: createMockResponder(service) });
  issuer.useClock(lab.clock.now);
  issuer.keys.onChange(() => shareKeys(lab, issuer));
  shareKeys(lab, issuer);
  return lab;
}

/** Lets faults sign what they change with the keys of the test. */
function shareKeys(lab: TestLab, { keys }: OAuth2Issuer): void {
  const usable = keys.toJSON(true).flatMap((jwk) => {
    const alg = serverAlgs[jwk.alg];
    return alg === undefined ? [] : [{ jwk: { ...jwk, alg }, kid: jwk.kid }];
  });
  if (usable.length === 0) return;
  try {
    lab.configure({ signingKeys: usable });
  } catch {
    // A key that the server refuses, a short one for example, still signs the tokens of the test.
  }
}

/** The lab needs an address; what clients see is the issuer URL of the test. */
function originOf(url: string | undefined): string {
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : "http://localhost";
}
