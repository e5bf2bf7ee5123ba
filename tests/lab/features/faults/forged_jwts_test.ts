import { assert, assertEquals } from "@std/assert";
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from "jose";
import { describe, it } from "node:test";
import { type FaultName, hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { memoize } from "../../../../src/server/util/values/memoize.ts";
import { testClient } from "../../../support/test_client.ts";
import { hasFeature } from "../../../support/where_feature.ts";
import { endLabSession } from "./end_lab_session.ts";

const redirectUri = "https://app.example/cb";
const hour = 3600;
const now = Date.UTC(2026, 0, 1) / 1000;
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Who signed a JWT. */
type Signature = "the server" | "someone else" | "no one" | "the public key";

/** What a fault changes in a JWT; an undefined member is missing. */
interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  signature?: Signature;
}

/** The parts of a JWT. */
interface ReadJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signature: Signature;
}

/** All that a client gets, from the login to the sign-out. */
interface Received {
  response: string;
  idToken: string;
  refreshedIdToken: string;
  userinfo: string;
  logoutToken: string;
}

const common = {
  wrong_iss: { claims: { iss: "https://hallpass.test/attacker" } },
  wrong_aud: { claims: { aud: "app-someone-else" } },
  expired: { claims: { exp: now - hour, iat: now - 2 * hour } },
  alg_none: { header: { alg: "none" }, signature: "no one" },
  hs256_with_public_key: { header: { alg: "HS256" }, signature: "the public key" },
  foreign_signature: { signature: "someone else" },
} satisfies Record<string, Forgery>;

const { wrong_iss, wrong_aud, expired, alg_none, foreign_signature } = common;

/** What each fault changes, by the JWT that it changes. */
const forgeries: Record<keyof Received, Partial<Record<FaultName, Forgery>>> = {
  response: {
    "jarm.wrong_iss": wrong_iss,
    "jarm.wrong_aud": wrong_aud,
    "jarm.expired": expired,
    "jarm.without_iss": { claims: { iss: undefined } },
    "jarm.without_aud": { claims: { aud: undefined } },
    "jarm.without_exp": { claims: { exp: undefined } },
    "jarm.alg_none": alg_none,
    "jarm.foreign_signature": foreign_signature,
  },
  idToken: {
    "id_token.without_kid": { header: { kid: undefined } },
    "id_token.without_iss": { claims: { iss: undefined } },
    "id_token.without_sub": { claims: { sub: undefined } },
    "id_token.without_aud": { claims: { aud: undefined } },
    "id_token.without_exp": { claims: { exp: undefined } },
    "id_token.without_iat": { claims: { iat: undefined } },
    "id_token.without_nonce": { claims: { nonce: undefined } },
    "id_token.without_at_hash": { claims: { at_hash: undefined } },
    "id_token.wrong_at_hash": { claims: { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" } },
    "id_token.aud_in_array": { claims: { aud: ["app"] } },
    "id_token.second_aud": { claims: { aud: ["app", "someone-else"] } },
    "id_token.second_aud_with_azp": { claims: { aud: ["app", "someone-else"], azp: "app" } },
    "id_token.wrong_azp": { claims: { aud: ["app", "someone-else"], azp: "someone-else" } },
    "id_token.issued_in_future": { claims: { iat: now + hour, exp: now + 2 * hour } },
    "id_token.unknown_kid": { header: { kid: "unknown-key" } },
    "id_token.hs256_with_public_key": common.hs256_with_public_key,
    "id_token.alg_none": alg_none,
    "id_token.foreign_signature": foreign_signature,
  },
  refreshedIdToken: {
    "refresh.wrong_iss": wrong_iss,
    "refresh.wrong_aud": wrong_aud,
    "refresh.wrong_sub": { claims: { sub: "someone-else" } },
    "refresh.old_iat": { claims: { iat: now - 24 * hour } },
  },
  userinfo: {
    "userinfo.without_sub": { claims: { sub: undefined } },
    "userinfo.wrong_sub": { claims: { sub: "someone-else" } },
    "userinfo.wrong_iss": wrong_iss,
    "userinfo.wrong_aud": wrong_aud,
    "userinfo.alg_none": alg_none,
    "userinfo.foreign_signature": foreign_signature,
  },
  logoutToken: {
    "logout_token.wrong_iss": wrong_iss,
    "logout_token.wrong_aud": wrong_aud,
    "logout_token.expired": expired,
    "logout_token.alg_none": alg_none,
    "logout_token.hs256_with_public_key": common.hs256_with_public_key,
    "logout_token.foreign_signature": foreign_signature,
    "logout_token.without_sub_and_sid": { claims: { sub: undefined, sid: undefined } },
    "logout_token.without_events": { claims: { events: undefined } },
    "logout_token.wrong_event": { claims: { events: { [`${logoutEvent}-of-another-kind`]: {} } } },
    "logout_token.with_nonce": { claims: { nonce: "a-nonce" } },
    "logout_token.without_jti": { claims: { jti: undefined } },
  },
};

const client = testClient({
  client_id: "app",
  client_secret: "a-secret",
  redirect_uri: redirectUri,
  scope: "openid offline_access",
});

/** Plays everything once, in a lab that makes the same values each time. */
async function receive(...names: FaultName[]): Promise<[lab: TestLab, received: Received]> {
  const { promise: logoutToken, resolve } = createDeferred<string>();
  const lab = await hallpass({
    seed: "forged",
    now: () => now * 1000,
    async fetch(_url, { body = "" }) {
      resolve(new URLSearchParams(body).get("logout_token") ?? "");
      return new Response();
    },
    clients: [{
      id: "app",
      secret: "a-secret",
      redirectUris: [redirectUri],
      ...hasFeature("logout") && { postLogoutRedirectUris: ["https://app.example/"] },
      ...hasFeature("back-channel logout") && {
        backchannelLogoutUri: "https://app.example/logout",
      },
      userinfoAlg: "RS256",
      authorizationResponseAlg: "RS256",
      grantTypes: ["authorization_code", "refresh_token"],
    }],
  });
  const faults = names.map((name) => lab.fault(name));
  const received = { ...await play(lab), logoutToken: await logoutToken };
  assertEquals(faults.map(({ fired }) => fired > 0), faults.map(() => true));
  return [lab, received];
}

async function play(lab: TestLab): Promise<Omit<Received, "logoutToken">> {
  const browser = lab.browser();
  const request = { response_mode: "jwt", prompt: "consent", state: "s", nonce: "n" };
  const url = client.authorizationUrl(lab, request);
  const { parameters } = await browser.authorize(url, { user: "alice" });
  const response = parameters.response ?? "";
  const { code } = decodeJwt<{ code: string }>(response);
  const { body: tokens } = await client.redeem(lab, code);
  const { body: refreshed } = await client.refresh(lab, tokens.refresh_token);
  const { text: userinfo } = await client.userinfo(lab, tokens.access_token);
  await endLabSession(lab, browser.cookies);
  const { id_token: refreshedIdToken } = refreshed;
  return { response, idToken: tokens.id_token, refreshedIdToken, userinfo };
}

async function read(lab: TestLab, jwt: string): Promise<ReadJwt> {
  const header = { ...decodeProtectedHeader(jwt) };
  return { header, claims: { ...decodeJwt(jwt) }, signature: await signatureOf(lab, jwt, header) };
}

async function signatureOf(
  lab: TestLab,
  jwt: string,
  { alg, kid }: Record<string, unknown>,
): Promise<Signature> {
  if (alg === "none") return jwt.endsWith(".") ? "no one" : "someone else";
  const { keys }: { keys: JWK[] } = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
  const ours = keys.find((key) => key.kid === kid) ?? keys.find((key) => key.alg === "RS256");
  assert(ours);
  const text = new TextEncoder().encode(JSON.stringify(ours));
  const key = alg === "HS256" ? text : await importJWK(ours, "RS256");
  return await compactVerify(jwt, key).then(
    () => alg === "HS256" ? "the public key" : "the server",
    () => "someone else",
  );
}

/** Returns a JWT with the changes of a fault. */
function forged({ header, claims, signature }: ReadJwt, forgery: Forgery): ReadJwt {
  return {
    header: defined({ ...header, ...forgery.header }),
    claims: defined({ ...claims, ...forgery.claims }),
    signature: forgery.signature ?? signature,
  };
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const [honestLab, honest] = await receive();

/** A fault of the ID token also changes a refreshed one. */
const { refreshedIdToken: _, ...independent } = forgeries;

/** Plays everything under the nth fault of each JWT, once. */
const receiveNth = memoize((at) => {
  const faults = Object.values(independent).flatMap((each) => Object.keys(each)[Number(at)] ?? []);
  return receive(...faults as FaultName[]);
}, 100);

describe("A forged JWT differs from an honest one", () => {
  for (const [member, faults] of Object.entries(forgeries)) {
    for (const [at, [fault, forgery]] of Object.entries(faults).entries()) {
      it(`in just what ${fault} is about`, async () => {
        const [lab, received] =
          await (member === "refreshedIdToken" ? receive(fault as FaultName) : receiveNth(`${at}`));
        const before = await read(honestLab, honest[member as keyof Received]);
        const after = await read(lab, received[member as keyof Received]);
        assertEquals(after, forged(before, forgery));
        assertEquals(before.signature, "the server");
      });
    }
  }
});

describe("Two faults in the same JWT", () => {
  const pairs: Array<[member: keyof Received, first: FaultName, second: FaultName]> = [
    ["response", "jarm.foreign_signature", "jarm.wrong_aud"],
    ["response", "jarm.alg_none", "jarm.wrong_aud"],
    ["idToken", "id_token.foreign_signature", "id_token.without_sub"],
    ["idToken", "id_token.alg_none", "id_token.without_sub"],
    ["idToken", "id_token.hs256_with_public_key", "id_token.without_sub"],
    ["idToken", "id_token.without_sub", "id_token.foreign_signature"],
    ["idToken", "id_token.without_nonce", "id_token.without_sub"],
    ["userinfo", "userinfo.foreign_signature", "userinfo.wrong_iss"],
    ["logoutToken", "logout_token.foreign_signature", "logout_token.with_nonce"],
    ["logoutToken", "logout_token.with_nonce", "logout_token.without_jti"],
  ];
  for (const [member, first, second] of pairs) {
    it(`are both there: ${first}, ${second}`, async () => {
      const [lab, received] = await receive(first, second);
      const before = await read(honestLab, honest[member]);
      const after = await read(lab, received[member]);
      const all: Partial<Record<FaultName, Forgery>> = forgeries[member];
      const expected = [first, second].reduce((jwt, name) => forged(jwt, all[name] ?? {}), before);
      assertEquals(after, expected);
    });
  }

  it("may both break the signature", async () => {
    const [lab, received] = await receive("id_token.alg_none", "id_token.foreign_signature");
    assertEquals((await read(lab, received.idToken)).signature, "no one");
  });
});
