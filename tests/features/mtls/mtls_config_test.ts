import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { type ClientConfig, type Config, createServer } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { toPem } from "../../../src/server/util/bytes/der.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { claimsOf, openKit } from "../../support/kit.ts";
import { register } from "../../support/registration.ts";
import { needs } from "../../support/where_feature.ts";
import {
  authorities,
  bound,
  keyWith,
  openMtls,
  redeemFor,
  registered,
  vouched,
} from "./mtls_kit.ts";
import { derOf, pemOf } from "./read_certificates.ts";

const underFapi = needs("pushed authorization requests");

const issuer = "https://hallpass.test";
const url = "https://mtls.hallpass.test";

async function metadataOf(changes: Partial<Config>): Promise<Record<string, unknown>> {
  const { fetch } = createServer({ issuer, ...changes });
  return await (await fetch(new Request(`${issuer}/.well-known/openid-configuration`))).json();
}

function without(client: ClientConfig, ...names: ReadonlyArray<keyof ClientConfig>): ClientConfig {
  const entries = Object.entries(client).filter(([name]) => !names.includes(name as never));
  return Object.fromEntries(entries) as never;
}

describe("The metadata of a server with mutual TLS (RFC 8705, sections 3.3 and 5)", () => {
  it("M07: names the endpoints for clients at the URL where they connect", async () => {
    const metadata = await metadataOf({ mtls: { url, authorities } });
    const aliases = metadata.mtls_endpoint_aliases as Record<string, string>;
    assertEquals(aliases.token_endpoint, `${url}/oauth2/token`);
    assertEquals(aliases.authorization_endpoint, undefined);
    for (const [name, alias] of Object.entries(aliases)) {
      assertEquals(alias, String(metadata[name]).replace(issuer, url));
    }
    assertEquals(metadata.tls_client_certificate_bound_access_tokens, true);
  });

  it("M08: lists the methods that the server can verify", underFapi, async () => {
    const methodsOf = async (changes: Partial<Config>) => {
      const { token_endpoint_auth_methods_supported: methods, ...rest } = await metadataOf(changes);
      assertEquals(rest.mtls_endpoint_aliases, undefined);
      return (methods as string[]).filter((method) => method.includes("tls"));
    };
    assertEquals(await methodsOf({}), []);
    assertEquals(await methodsOf({ mtls: {} }), ["self_signed_tls_client_auth"]);
    const both = ["tls_client_auth", "self_signed_tls_client_auth"];
    assertEquals(await methodsOf({ mtls: { authorities } }), both);
    const fapi = { profile: "fapi-2.0", mtls: { authorities } } as const;
    assertEquals(await methodsOf(fapi), both);
  });

  it("has nothing of it by default", async () => {
    const metadata = await metadataOf({});
    assertEquals(Object.keys(metadata).filter((name) => name.includes("tls")), []);
  });
});

const refused: Record<string, [changes: Partial<Config>, problem: RegExp]> = {
  "authorities that are none": [
    { mtls: { authorities: "CA" } },
    /must contain certificates in PEM/,
  ],
  "an authority that is cut off, beside another": [
    { mtls: { authorities: authorities + toPem("CERTIFICATE", derOf("plain").slice(0, -1)) } },
    /must contain certificates in PEM/,
  ],
  "an authority with other characters, beside another": [
    { mtls: { authorities: authorities + pemOf("plain").replace("MII", "!!!") } },
    /must contain certificates in PEM/,
  ],
  "a URL that is not https": [{ mtls: { url: "http://mtls.example" } }, /mtls.url uses http/],
  "a URL with another path": [{ mtls: { url: `${url}/a` } }, /mtls.url must have the path/],
  "a method that needs an authority": [{ mtls: {}, clients: [vouched] }, /server does not have/],
  "a method without mutual TLS": [{ clients: [registered] }, /'self_signed.*does not have/],
  "bound tokens without mutual TLS": [{ clients: [bound] }, /certificateBoundTokens needs mutual/],
};

const refusedClients: Record<string, [client: ClientConfig, problem: RegExp]> = {
  "no name": [without(vouched, "tlsClientAuthSubjectDn"), /SubjectDn is missing/],
  "two names": [{ ...vouched, tlsClientAuthSanDns: "a.example" }, /cannot be combined/],
  "a name that no method compares": [
    { ...bound, tlsClientAuthSanDns: "a.example" },
    /does not use tls_client_auth/,
  ],
  "a subject as OpenSSL shows it": [
    { ...vouched, tlsClientAuthSubjectDn: "/O=Example/CN=client" },
    /must be written like/,
  ],
  "a wildcard": [
    { ...without(vouched, "tlsClientAuthSubjectDn"), tlsClientAuthSanDns: "*.example" },
    /name of one host/,
  ],
  "an address that is spelled in another way": [
    { ...without(vouched, "tlsClientAuthSubjectDn"), tlsClientAuthSanIp: "2001:DB8::1" },
    /must be written like '2001:db8::1'/,
  ],
  "both methods": [
    { ...vouched, authentication: ["tls_client_auth", "self_signed_tls_client_auth"] },
    /can contain only one of/,
  ],
  "no authentication beside it": [
    { ...vouched, authentication: ["tls_client_auth", "none"] },
    /can contain only one of/,
  ],
  "no certificate": [
    { ...registered, jwks: { keys: [{ ...keyWith("plain"), x5c: [] }] } },
    /needs the client's certificate/,
  ],
  ...Object.fromEntries(
    [["!!"], "text", [7], null, {}, ["MAA="], [keyWith("plain").x5c[0]?.slice(4)]].map((x5c) => [
      `the x5c ${JSON.stringify(x5c).slice(0, 20)}`,
      [
        { ...registered, jwks: { keys: [{ ...keyWith("plain"), x5c: x5c as never }] } },
        /needs the client's certificate/,
      ] as const,
    ]),
  ),
};

describe("The settings of mutual TLS", () => {
  for (const [what, [changes, problem]] of Object.entries(refused)) {
    it(`M08: do not have ${what}`, () => {
      assertMatch(problemsOf({ issuer, ...changes }).join(), problem);
    });
  }

  for (const [what, [client, problem]] of Object.entries(refusedClients)) {
    it(`M02 M04: of a client do not have ${what}`, () => {
      assertMatch(problemsOf({ issuer, mtls: { authorities }, clients: [client] }).join(), problem);
    });
  }

  it("M08: are accepted by fapi-2.0 in place of a key and of DPoP", underFapi, () => {
    const fapi = { issuer, profile: "fapi-2.0", mtls: { authorities } };
    const client = { ...vouched, certificateBoundTokens: true };
    assertEquals(problemsOf({ ...fapi, clients: [client] }), []);
    const unbound = { ...client, dpop: "optional", certificateBoundTokens: false };
    assertMatch(problemsOf({ ...fapi, clients: [unbound] }).join(), /unless certificateBoundTok/);
    const secret = { ...client, authentication: ["client_secret_basic"], secret: "s" };
    assertMatch(problemsOf({ ...fapi, clients: [secret] }).join(), /a method with a certificate/);
  });

  it("M08: bind tokens in fapi-2.0 without DPoP, which a client may add", underFapi, async () => {
    const client: ClientConfig = {
      ...without(vouched, "redirectUris"),
      ...{ certificateBoundTokens: true, grantTypes: ["client_credentials"], scopes: ["read"] },
    };
    const requiring: ClientConfig = { ...client, id: "both", dpop: "required" };
    const kit = openMtls([client, requiring], ["plain"], { profile: "fapi-2.0" });
    const redeem = async (client_id: string) =>
      (await kit.token({ grant_type: "client_credentials", client_id })).body;
    const { access_token } = await redeem("vouched");
    assertEquals(Object.keys(claimsOf<{ cnf: object }>(access_token).cnf), ["x5t#S256"]);
    assertEquals((await redeem("both")).error, "invalid_dpop_proof");
    kit.certificates = [];
    assertEquals((await redeem("vouched")).error, "invalid_client");
  });

  it("M08: that are switched off later refuse a stored client that needs them", async () => {
    const store = memoryStore();
    const { context } = openKit({ store, mtls: { authorities } }).server;
    const { add } = await import("../../../src/administration/clients.ts");
    await add(context, vouched);
    await add(context, bound);
    const kit = openKit({ store });
    kit.certificates = [derOf("plain")];
    assertEquals((await redeemFor(kit, "vouched")).status, 401);
    const { status, body } = await redeemFor(kit, "bound");
    assertEquals([status, body.error, body.access_token], [400, "invalid_request", undefined]);
  });
});

const own = {
  token_endpoint_auth_method: "tls_client_auth",
  tls_client_auth_subject_dn: "CN=plain",
  tls_client_certificate_bound_access_tokens: true,
};

const registers = needs("registration");

describe("A client that registers for mutual TLS (RFC 8705, sections 2.1.2 and 3.4)", () => {
  it("M08: gets what it asks for", registers, async () => {
    const kit = openMtls([], ["plain"], { registration: "open" });
    const { status, body } = await register(kit, own);
    assertEquals(status, 201);
    for (const [name, value] of Object.entries(own)) {
      assertEquals(Object.entries(body).find(([each]) => each === name)?.[1], value);
    }
    const { body: tokens } = await redeemFor(kit, body.client_id);
    const { cnf } = claimsOf<{ cnf: object }>(tokens.access_token);
    assertEquals(Object.keys(cnf), ["x5t#S256"]);
  });

  it("M08: gets bound tokens as a public client, too", registers, async () => {
    const kit = openMtls([], ["plain"], { registration: "open" });
    const { body } = await register(kit, { ...own, token_endpoint_auth_method: "none" });
    assertEquals("tls_client_auth_subject_dn" in body, false);
    const { body: tokens } = await redeemFor(kit, body.client_id);
    assertEquals((await kit.userinfo(tokens.access_token)).status, 200);
    kit.certificates = [];
    assertEquals((await kit.userinfo(tokens.access_token)).status, 401);
  });

  const refused: Array<[what: string, changes: object, problem: RegExp]> = [
    [
      "no name",
      { tls_client_auth_subject_dn: undefined },
      /tls_client_auth_subject_dn. is missing/,
    ],
    ["two names", { tls_client_auth_san_ip: "10.0.0.1" }, /tls_client_auth_san_ip. cannot be/],
  ];
  for (const [what, changes, problem] of refused) {
    it(`M02: is refused with ${what}`, registers, async () => {
      const kit = openMtls([], [], { registration: "open" });
      const { status, body } = await register(kit, { ...own, ...changes });
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
      assertMatch(String(body.error_description), problem);
    });
  }

  it("M08: is refused by a server without it", registers, async () => {
    const kit = openKit({ registration: "open" });
    assertEquals((await register(kit, own)).status, 400);
    assertEquals((await register(kit, { ...own, token_endpoint_auth_method: "none" })).status, 400);
  });
});
