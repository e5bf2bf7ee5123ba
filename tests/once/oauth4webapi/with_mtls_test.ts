import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { type LibraryDoor, openLibrary } from "./library_login.ts";

const issuer = "https://hallpass.test";
const url = "https://mtls.hallpass.test";
const redirectUri = "https://app.example/cb";

/** What each client asks the server for, when it registers. */
const metadata = {
  tls_client_auth: { tls_client_auth_subject_dn: "CN=web" },
  self_signed_tls_client_auth: {},
  none: {},
};

type Method = keyof typeof metadata;

/** Registers a client that sends its requests over a connection with a certificate. */
async function connect(lab: TestLab, method: Method, auth: oauth.ClientAuth) {
  const { fetch, jwk } = await lab.certificate("web");
  const origins = new Set<string>();
  const door: LibraryDoor = {
    issuer,
    fetch(url, init) {
      origins.add(new URL(url).origin);
      return fetch(url, init);
    },
  };
  const { client_id } = await (await openLibrary(door)).register({
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: method,
    tls_client_certificate_bound_access_tokens: true,
    ...method === "self_signed_tls_client_auth" && { jwks: { keys: [jwk] } },
    ...metadata[method],
  });
  const client = { client_id, use_mtls_endpoint_aliases: true };
  const library = await openLibrary(door, { client, auth, redirectUri });
  origins.clear();
  return { ...library, origins };
}

const ways: Array<[method: Method, auth: oauth.ClientAuth]> = [
  ["tls_client_auth", oauth.TlsClientAuth()],
  ["self_signed_tls_client_auth", oauth.TlsClientAuth()],
  ["none", oauth.None()],
];

describe("oauth4webapi with certificates (RFC 8705)", () => {
  for (const [method, auth] of ways) {
    it(`registers, signs in, calls userinfo and refreshes at the aliases, with ${method}`, async () => {
      await using lab = await hallpass({ issuer, mtls: { url }, registration: "open" });
      const own = await connect(lab, method, auth);
      const begun = await own.begin({ scope: "openid offline_access" });
      const { callback } = await lab.authorize(begun.url, { user: "alice" });
      const { access_token, refresh_token = "" } = await own.finish(callback, begun);
      assertEquals((await own.userinfo(access_token)).sub, "alice");
      await own.refresh(refresh_token);
      assertEquals([...own.origins], [url]);
      const { userinfo } = await connect(lab, method, auth);
      await assertRejects(() => userinfo(access_token), oauth.WWWAuthenticateChallengeError);
    });
  }
});
