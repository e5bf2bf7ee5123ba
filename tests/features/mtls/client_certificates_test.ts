import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { basic, type Kit, type ReadResponse } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";
import { keyWith, openMtls, redeemFor, redirectUri, registered, vouched } from "./mtls_kit.ts";
import { type CertificateName, derOf, pemOf } from "./read_certificates.ts";

const pushes = needs("pushed authorization requests");

const { tlsClientAuthSubjectDn: _, ...unnamed } = vouched;

/** Returns why the last client was refused. */
function reasonIn({ events }: Kit): string {
  const refused = events.filter((event) => event.type === "client.refused");
  return present(refused.at(-1)).reason;
}

async function assertAccepted(kit: Kit, client_id = "vouched"): Promise<void> {
  const { status, body } = await redeemFor(kit, client_id);
  assertEquals([status, body.token_type], [200, "Bearer"], JSON.stringify(body));
}

async function assertRefused(kit: Kit, client_id: string, reason: RegExp): Promise<void> {
  const { status, body } = await redeemFor(kit, client_id);
  assertEquals([status, body.error], [401, "invalid_client"]);
  assertMatch(reasonIn(kit), reason);
}

const names: Array<[setting: keyof ClientConfig, name: string, certificate: CertificateName]> = [
  ["tlsClientAuthSubjectDn", "CN=plain", "plain"],
  ["tlsClientAuthSubjectDn", "cn = plain", "plain"],
  ["tlsClientAuthSanDns", "client.example", "several_names"],
  ["tlsClientAuthSanDns", "Client.EXAMPLE", "several_names"],
  ["tlsClientAuthSanUri", "https://client.example/x", "several_names"],
  ["tlsClientAuthSanIp", "10.0.0.1", "several_names"],
  ["tlsClientAuthSanIp", "2001:db8::1", "several_names"],
  ["tlsClientAuthSanEmail", "c@client.example", "several_names"],
  ["tlsClientAuthSanDns", "only.example", "nameless"],
];

const otherNames: Array<[setting: keyof ClientConfig, name: string, certificate: CertificateName]> =
  [
    ["tlsClientAuthSubjectDn", "CN=Plain", "plain"],
    ["tlsClientAuthSubjectDn", "CN=plain,O=Example", "plain"],
    ["tlsClientAuthSanDns", "a.b.example", "several_names"],
    ["tlsClientAuthSanDns", "b.example", "several_names"],
    ["tlsClientAuthSanDns", "plain", "plain"],
    ["tlsClientAuthSanUri", "https://client.example", "several_names"],
    ["tlsClientAuthSanUri", "client.example", "several_names"],
    ["tlsClientAuthSanIp", "10.0.0.2", "several_names"],
    ["tlsClientAuthSanEmail", "client.example", "several_names"],
  ];

describe("tls_client_auth (RFC 8705, section 2.1)", () => {
  for (const [setting, name, certificate] of names) {
    it(`M01 M02: takes a certificate with the ${setting} '${name}'`, async () => {
      await assertAccepted(openMtls([{ ...unnamed, [setting]: name }], [certificate]));
    });
  }

  for (const [setting, name, certificate] of otherNames) {
    it(`M02: refuses '${certificate}' for a client with the ${setting} '${name}'`, async () => {
      const kit = openMtls([{ ...unnamed, [setting]: name }], [certificate]);
      await assertRefused(kit, "vouched", /does not have the name of the client/);
    });
  }

  it("M02: compares the levels of a name in their order", async () => {
    const subject = 'emailAddress=a@b.example,CN=\\#client,O=Müller\\, Söhne "X",C=DE';
    const kit = openMtls([{ ...unnamed, tlsClientAuthSubjectDn: subject.replaceAll('"', '\\"') }], [
      "client",
    ]);
    await assertRefused(kit, "vouched", /does not have the name of the client/);
  });

  it("M02: takes none of two names, in the row of a stored client, too", async () => {
    const kit = openMtls([vouched], ["plain"]);
    const [own = {}] = await kit.server.context.settings.clients.all();
    Object.assign(own, { tlsClientAuthSanDns: "client.example" });
    await assertRefused(kit, "vouched", /does not have the name of the client/);
    Object.assign(own, { tlsClientAuthSanDns: undefined });
    await assertAccepted(kit);
    Object.assign(own, { tlsClientAuthSubjectDn: undefined });
    await assertRefused(kit, "vouched", /does not have the name of the client/);
  });

  it("M01: takes intermediate authorities that the client sends", async () => {
    const client = { ...vouched, tlsClientAuthSubjectDn: "CN=below" };
    await assertAccepted(openMtls([client], ["below", "intermediate"]));
    await assertRefused(openMtls([client], ["below"]), "vouched", /not configured/);
  });

  const untrusted: Array<[what: string, certificate: CertificateName, reason: RegExp]> = [
    ["of another authority", "by_rsa", /not configured/],
    ["of an authority that only has the same name", "forged", /not signed by the authority/],
    ["that has expired", "expired", /has expired/],
    ["that is not valid yet", "future", /not valid yet/],
    ["that is for servers", "server", /not for TLS clients/],
    ["whose issuer is no authority", "usurper", /not configured/],
  ];
  for (const [what, certificate, reason] of untrusted) {
    it(`M01: refuses a certificate ${what}, with the right name`, async () => {
      const cn = { usurper: "usurped", by_rsa: "by rsa", forged: "plain" };
      const name = cn[certificate as keyof typeof cn] ?? certificate;
      const client = { ...vouched, tlsClientAuthSubjectDn: `CN=${name}` };
      await assertRefused(openMtls([client], [certificate]), "vouched", reason);
    });
  }

  it("M01: refuses a certificate below one that is no authority", async () => {
    const client = { ...vouched, tlsClientAuthSubjectDn: "CN=usurped" };
    await assertRefused(
      openMtls([client], ["usurper", "plain"]),
      "vouched",
      /not belong to an authority/,
    );
  });

  it("M01 M03: takes no RSA key of 1024 bits, by either method, in fapi-2.0", pushes, async () => {
    const mtls = { authorities: pemOf("renewed") };
    const clients = [{ ...vouched, tlsClientAuthSubjectDn: "CN=weak" }, {
      ...registered,
      jwks: { keys: [keyWith("weak")] },
    }];
    for (const { id, ...client } of clients) {
      const bound = { ...client, id, certificateBoundTokens: true };
      const kit = openMtls([bound], ["weak"], { mtls, profile: "fapi-2.0" });
      const { status, body } = await kit.push({ client_id: id, redirect_uri: redirectUri });
      assertEquals([status, body.error], [401, "invalid_client"]);
      assertMatch(reasonIn(kit), /RSA key of less than 2048 bits/);
    }
  });

  it("M01: refuses a name with a NUL, and what is no certificate", async () => {
    const client = { ...unnamed, tlsClientAuthSanDns: "client.example" };
    const kit = openMtls([client], ["nul"]);
    await assertRefused(kit, "vouched", /characters that no such name has/);
    for (const bytes of [[], [0x30, 0x80], [0x30, 0x03, 0x02, 0x01, 0x00]]) {
      kit.certificates = [new Uint8Array(bytes)];
      assertEquals((await redeemFor(kit, "vouched")).status, 401);
    }
  });
});

describe("self_signed_tls_client_auth (RFC 8705, section 2.2)", () => {
  it("M03: takes a certificate that the client registered, from no authority", async () => {
    await assertAccepted(openMtls([registered], ["by_ed"], { mtls: {} }), "registered");
  });

  it("M03: takes one on P-384, whose key signs nothing else", async () => {
    const { x5c } = keyWith("own_p384");
    const key = { kty: "EC", crv: "P-384", x: "A".repeat(64), y: "A".repeat(64) };
    const client = { ...registered, jwks: { keys: [{ ...key, x5c }] } };
    await assertAccepted(openMtls([client], ["own_p384"]), "registered");
    const bareKey = { ...key, use: "sig", x5c: [] };
    const bare = { ...registered, jwks: { keys: [bareKey, keyWith("by_ed")] } };
    const config = { issuer: "https://id.example", mtls: {}, clients: [bare] };
    assertMatch(
      problemsOf(config).join(),
      /keys\[0\] is on P-384, and this server verifies no sig/,
    );
    const signs = { ...client, authentication: ["private_key_jwt" as const] };
    const problems = problemsOf({ ...config, clients: [signs] });
    assertMatch(problems.join(), /jwks has no key that signs/);
    assertEquals(problems.length, 1);
  });

  it("M03: refuses another one, also with the same name or of a configured authority", async () => {
    const client = { ...registered, jwks: { keys: [keyWith("forged")] } };
    for (const other of ["plain", "authority"] as const) {
      await assertRefused(openMtls([client], [other]), "registered", /not registered/);
    }
  });

  it("M03: refuses a registered one after its time", async () => {
    for (const name of ["expired", "future"] as const) {
      const client = { ...registered, jwks: { keys: [keyWith(name)] } };
      await assertRefused(openMtls([client], [name]), "registered", /not valid now/);
    }
  });

  it("M03: takes only the first certificate of a key, and only that of the sender", async () => {
    const [own = "", other = ""] = [keyWith("by_ed"), keyWith("plain")].map(({ x5c }) => x5c[0]);
    const jwks = { keys: [{ ...keyWith("by_ed"), x5c: [own, other] }] };
    const kit = openMtls([{ ...registered, jwks }], ["plain"]);
    await assertRefused(kit, "registered", /not registered/);
    kit.certificates = [derOf("plain"), derOf("by_ed")];
    await assertRefused(kit, "registered", /not registered/);
  });

  it("M03: fetches the keys again for a certificate that is new", async () => {
    const published = [keyWith("plain")];
    const fetch = () => Promise.resolve(Response.json({ keys: published }));
    const { jwks: _, ...rest } = registered;
    const client = { ...rest, jwksUri: "https://app.example/jwks" };
    const kit = openMtls([client], ["by_ed"], { fetch });
    await assertRefused(kit, "registered", /not registered/);
    published.push(keyWith("by_ed"));
    kit.clock.advance(61);
    await assertAccepted(kit, "registered");
  });

  it("M03: survives an 'x5c' of any type, and keys that cannot be fetched", async () => {
    const keys: unknown[] = [7, "text", {}, [], [7], null].map((x5c) => ({
      ...keyWith("plain"),
      x5c,
    }));
    const { jwks: _, ...rest } = registered;
    const client = { ...rest, jwksUri: "https://app.example/jwks" };
    const fetch = () => Promise.resolve(Response.json({ keys }));
    await assertRefused(openMtls([client], ["by_ed"], { fetch }), "registered", /not registered/);
    const down = () => Promise.resolve(Response.error());
    await assertRefused(openMtls([client], ["by_ed"], { fetch: down }), "registered", /fetched/);
  });
});

describe("A certificate among the credentials of a client (RFC 8705, section 2)", () => {
  const secret = "a-secret-of-32-letters-and-digits";
  const web: ClientConfig = { id: "web", secret, redirectUris: [redirectUri] };

  it("M04: authenticates no client that is registered for another method", async () => {
    await assertRefused(openMtls([web], ["plain"]), "web", /sent none/);
    const byKey = { ...registered, authentication: ["private_key_jwt" as const] };
    await assertRefused(openMtls([byKey], ["by_ed"]), "registered", /sent none/);
  });

  it("M04: is not taken by one method for the other", async () => {
    await assertRefused(openMtls([registered], ["plain"]), "registered", /not registered/);
    const both = { ...vouched, jwks: { keys: [keyWith("by_ed")] } };
    await assertRefused(openMtls([both], ["by_ed"]), "vouched", /name of the client/);
  });

  it("M04: does not make up for a wrong secret, nor a secret for a certificate", async () => {
    const kit = openMtls([{
      ...vouched,
      ...web,
      id: "both",
      authentication: ["client_secret_basic", "tls_client_auth"],
    }, vouched], ["plain"]);
    const code = () => kit.code({ client_id: "both", redirect_uri: redirectUri });
    const redeem = async (headers = {}) =>
      (await kit.redeem(await code(), { redirect_uri: redirectUri }, headers)).status;
    assertEquals(await redeem(basic("both", "wrong")), 401);
    assertEquals(await redeem(basic("both", secret)), 200);
    assertEquals((await redeemFor(kit, "both")).status, 200);
    const withSecret = await redeemFor(kit, "vouched", { client_secret: secret });
    assertEquals(withSecret.body.error, "invalid_client");
  });

  it("M04: is missing: the client is refused", async () => {
    for (const client of [vouched, registered]) {
      await assertRefused(openMtls([client], []), client.id, /has no certificate/);
    }
  });

  it("M04: names no client without a client_id", async () => {
    const kit = openMtls([vouched], ["plain"]);
    const { status, body } = await kit.redeem("code", { client_id: undefined });
    assertEquals([status, body.error], [401, "invalid_client"]);
  });

  const asClient = { client_id: "vouched" };
  const pushed = { ...asClient, redirect_uri: redirectUri };
  type Ask = (kit: Kit, token: string) => Promise<ReadResponse>;
  const asks: Array<[what: string, options: object, ask: Ask]> = [
    ["refreshes", {}, (kit, token) => kit.refresh(token, asClient)],
    ["introspects", needs("introspection"), (kit, token) => kit.introspect(token, asClient)],
    ["revokes", needs("revocation"), (kit, token) => kit.revoke(token, asClient)],
    ["pushes a request", pushes, (kit) => kit.push(pushed)],
  ];
  for (const [what, options, ask] of asks) {
    it(`M04: authenticates a client that ${what}`, options, async () => {
      const kit = openMtls([vouched], ["plain"]);
      const { refresh_token = "" } = (await redeemFor(kit, "vouched")).body;
      kit.certificates = [derOf("several_names")];
      assertEquals((await ask(kit, refresh_token)).status, 401);
      kit.certificates = [derOf("plain")];
      assertEquals((await ask(kit, refresh_token)).body.error, undefined);
    });
  }
});
