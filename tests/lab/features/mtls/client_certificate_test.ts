import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { createHash, X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { greetLab } from "../../../../src/program/lab/greeting.ts";
import { readCertificate } from "../../../../src/server/features/mtls/certificate.ts";
import { claimsOf } from "../../../support/kit.ts";
import { openTab } from "../../../support/lab_tab.ts";

const redirectUri = "https://app.example/cb";
const web = {
  id: "web",
  redirectUris: [redirectUri],
  authentication: ["tls_client_auth" as const],
  tlsClientAuthSubjectDn: "CN=web",
  certificateBoundTokens: true,
};

async function open(changes: object = {}) {
  return await hallpass({ mtls: {}, clients: [web], ...changes });
}

const codeVerifier = "v".repeat(43);
const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");

type TestLab = Awaited<ReturnType<typeof open>>;
type Send = (input: string, init?: RequestInit) => Promise<Response>;

/** Signs alice in, and redeems the code with a fetch. */
async function redeem(lab: TestLab, send: Send, client_id = "web") {
  const scope = "openid";
  const minted = await lab.mint({
    ...{ kind: "code", user: "alice", client: client_id, scope, codeChallenge } as const,
  });
  const code = { code: minted.token, code_verifier: codeVerifier };
  const form = { grant_type: "authorization_code", client_id, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...form, ...code });
  const response = await send(`${lab.issuer}/oauth2/token`, { method: "POST", body });
  return await response.json();
}

describe("A client that authenticates with a certificate", () => {
  it("W6: is not called public, neither on its page nor in the greeting", async () => {
    await using lab = openLab({ issuer: "http://localhost:9000", mtls: {}, clients: [web] });
    const page = await (await openTab(lab)).html("/lab/clients");
    assertMatch(page, /<bdi>certificate</);
    const { text } = await greetLab({ server: lab, address: "http://localhost:9000" });
    assertMatch(text, /Clients +web +tls_client_auth\n/);
  });
});

describe("lab.certificate (RFC 8705)", () => {
  it("makes a certificate that authenticates a client, and that its tokens are bound to", async () => {
    await using lab = await open();
    const { cert, key, ca, thumbprint, fetch } = await lab.certificate("web");
    const authority = new X509Certificate(ca);
    assert(new X509Certificate(cert).verify(authority.publicKey));
    // Clients with strict checks, such as Python 3.13, need the ids of both keys.
    const [subjectKey, authorityKey] = ["551d0e", "551d23"];
    assertStringIncludes(authority.raw.toString("hex"), subjectKey);
    assertStringIncludes(new X509Certificate(cert).raw.toString("hex"), authorityKey);
    assertMatch(cert, /^-----BEGIN CERTIFICATE-----/);
    assertMatch(key, /^-----BEGIN PRIVATE KEY-----/);
    const { access_token } = await redeem(lab, fetch);
    assertEquals(claimsOf(access_token).cnf as unknown, { "x5t#S256": thumbprint });
    const headers = { Authorization: `Bearer ${access_token}` };
    const userinfo = `${lab.issuer}/oauth2/userinfo`;
    const statusOf = async (send: Send) => (await send(userinfo, { headers })).status;
    assertEquals(await statusOf(fetch), 200);
    assertEquals(await statusOf((input, init) => lab.fetch(new Request(input, init))), 401);
    assertEquals(await statusOf((await lab.certificate("web")).fetch), 401);
  });

  it("M08: is not made by a lab whose own authorities cannot be read", async () => {
    const refused = () => open({ mtls: { authorities: "CA" } });
    await assertRejects(refused, Error, "mtls.authorities must contain certificates");
  });

  it("makes it for one client: neither another nor a stranger has it", async () => {
    await using lab = await open();
    const other = await lab.certificate("other");
    assertEquals((await redeem(lab, other.fetch)).error, "invalid_client");
    assertEquals(
      (await redeem(lab, (input, init) => lab.fetch(new Request(input, init)))).error,
      "invalid_client",
    );
  });

  it("has the key for a client that registers it itself", async () => {
    await using lab = await open();
    const { jwk, fetch } = await lab.certificate("own");
    const { tlsClientAuthSubjectDn: _, ...own } = web;
    const authentication = ["self_signed_tls_client_auth" as const];
    await lab.clients.put({ ...own, id: "own", authentication, jwks: { keys: [jwk] } });
    assertEquals((await redeem(lab, fetch, "own")).token_type, "Bearer");
  });

  it("is valid at any time that a test sets, and has the name as it is", async () => {
    await using lab = await open({ clients: [{ ...web, tlsClientAuthSubjectDn: "CN=a\\, b" }] });
    const { fetch, jwk } = await lab.certificate("a, b");
    const [x5c = ""] = jwk.x5c ?? [];
    const der = Uint8Array.from(atob(x5c), (char) => char.charCodeAt(0));
    assertEquals(readCertificate(der).subject, "CN=a\\, b");
    lab.clock.set("2040-01-01");
    assertEquals((await redeem(lab, fetch)).token_type, "Bearer");
  });
});
