import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createServer } from "../../../src/server/features.ts";
import type { Kit } from "../../support/kit.ts";
import {
  authorities,
  byteSequence,
  openMtls,
  redirectUri,
  registered,
  vouched,
} from "./mtls_kit.ts";

const proxy = "192.0.2.1";
const clientCert = byteSequence("plain");

/** What a proxy may not send. */
const malformed: Record<string, Record<string, string>> = {
  "no byte sequence": { "Client-Cert": clientCert.slice(1, -1) },
  "one that does not end": { "Client-Cert": clientCert.slice(0, -1) },
  "no Base64": { "Client-Cert": ":!:" },
  "Base64 of the web": { "Client-Cert": ":_-A=:" },
  "an empty one": { "Client-Cert": "::" },
  "a parameter": { "Client-Cert": `${clientCert};a=1` },
  "two certificates": { "Client-Cert": `${clientCert}, ${clientCert}` },
  "a chain alone": { "Client-Cert-Chain": clientCert },
  "a chain that is no list": { "Client-Cert": clientCert, "Client-Cert-Chain": `${clientCert},` },
};

/** What a proxy passes on as the host, the port of `mtls.url`, and the status that results. */
const hosts: ReadonlyArray<[host: string | undefined, port: string, status: number]> = [
  ["mtls.hallpass.test", "", 200],
  ["MTLS.hallpass.test:443", "", 200],
  ["mtls.hallpass.test:8443", ":8443", 200],
  [undefined, "", 400],
  ["hallpass.test", "", 400],
  ["127.0.0.1:9000", "", 400],
  ["mtls.hallpass.test:9443", ":8443", 400],
  ["mtls.hallpass.test.example", "", 400],
];

/** Redeems a code behind the proxy, which sends headers. */
async function redeemBehind(
  kit: Kit,
  headers: Record<string, string>,
  { address = proxy, client_id = "vouched" } = {},
) {
  const code = await kit.code({ client_id, redirect_uri: redirectUri, scope: "openid" });
  kit.address = address;
  return await kit.redeem(code, { client_id, redirect_uri: redirectUri }, headers);
}

function open(proxies: string[] = [proxy], changes: object = {}): Kit {
  return openMtls([vouched, registered], [], { mtls: { authorities, proxies }, ...changes });
}

describe("The header Client-Cert (RFC 9440)", () => {
  it("authenticates a client behind a proxy of mtls.proxies", async () => {
    const { status, body } = await redeemBehind(open(), { "Client-Cert": clientCert });
    assertEquals([status, typeof body.access_token], [200, "string"]);
  });

  it("comes with the chain of the certificate", async () => {
    const below = { ...vouched, id: "below", tlsClientAuthSubjectDn: "CN=below" };
    const kit = openMtls([below], [], { mtls: { authorities, proxies: [proxy] } });
    const alone = { "Client-Cert": byteSequence("below") };
    const refused = await redeemBehind(kit, alone, { client_id: "below" });
    assertEquals(refused.body.error, "invalid_client");
    kit.address = undefined;
    const chain = ["intermediate", "authority"] as const;
    const whole = { ...alone, "Client-Cert-Chain": chain.map(byteSequence).join(", ") };
    assertEquals((await redeemBehind(kit, whole, { client_id: "below" })).status, 200);
  });

  it("is read without the padding of Base64, too (RFC 9651, section 4.2.7)", async () => {
    const unpadded = clientCert.replace("==:", ":");
    assertEquals(unpadded.length, clientCert.length - 2);
    assertEquals((await redeemBehind(open(), { "Client-Cert": unpadded })).status, 200);
  });

  it("authenticates nobody if it is that of another client, or malformed inside", async () => {
    for (const header of [byteSequence("forged"), ":MIIC:"]) {
      const { status, body } = await redeemBehind(open(), { "Client-Cert": header });
      assertEquals([status, body.error], [401, "invalid_client"]);
    }
  });

  for (const [what, headers] of Object.entries(malformed)) {
    it(`is refused with ${what}`, async () => {
      const { status, body } = await redeemBehind(open(), headers);
      assertEquals([status, body.error], [400, "invalid_request"]);
    });
  }

  it("is refused from any other sender, at every endpoint", async () => {
    const stranger = { address: "192.0.2.2" };
    for (const name of ["Client-Cert", "Client-Cert-Chain"]) {
      const { status, body } = await redeemBehind(open(), { [name]: clientCert }, stranger);
      assertEquals([status, body.error], [400, "invalid_request"]);
    }
    const kit = open();
    for (const path of ["/oauth2/jwks", "/oauth2/authorize", "/health", "/oauth2/userinfo"]) {
      const response = await kit.get(path, { "Client-Cert": clientCert });
      await response.body?.cancel();
      assertEquals(response.status, 400, path);
    }
  });

  it("counts only at the host of mtls.url: at that of the issuer, a stranger can have sent it", async () => {
    for (const [host, port, expected] of hosts) {
      const url = `https://mtls.hallpass.test${port}`;
      const kit = open([proxy], { mtls: { authorities, url, proxies: [proxy] } });
      const headers = { "Client-Cert": clientCert, ...host && { Host: host } };
      const { status } = await redeemBehind(kit, headers);
      assertEquals([host, status], [host, expected]);
    }
  });

  it("is refused from a proxy that is trusted with other headers alone", async () => {
    const kit = open([], { trustedProxies: [proxy] });
    const { status } = await redeemBehind(kit, { "Client-Cert": clientCert });
    assertEquals(status, 400);
  });

  it("is refused from a proxy that only X-Forwarded-For names", async () => {
    const kit = open([proxy], { trustedProxies: ["192.0.2.2"] });
    const headers = { "Client-Cert": clientCert, "X-Forwarded-For": proxy };
    assertEquals((await redeemBehind(kit, headers, { address: "192.0.2.2" })).status, 400);
  });

  it("is nothing to a server without mutual TLS", async () => {
    const issuer = "https://hallpass.test";
    const { fetch } = createServer({ issuer });
    const headers = { "Client-Cert": clientCert };
    const response = await fetch(new Request(`${issuer}/oauth2/jwks`, { headers }));
    await response.body?.cancel();
    assertEquals(response.status, 200);
  });
});
