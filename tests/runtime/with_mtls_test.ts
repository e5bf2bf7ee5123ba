import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { describe, it } from "node:test";
import { isListening } from "../../src/program/doctor/probe.ts";
import { serve, type ServedApplication } from "../../src/runtime/serve.ts";
import { derOf, keyPemOf, pemOf } from "../features/mtls/read_certificates.ts";
import { authority, cert, key } from "../support/certificate.ts";
import { runCommandLine } from "../support/command_line.ts";
import { inFolder } from "../support/folder.ts";
import { findFreePort } from "../support/free_port.ts";
import { runProgram, startProgram } from "../support/program.ts";

const isBun = "Bun" in globalThis;

/** Responds with the hashes of the certificates that the request came with. */
const hashes: ServedApplication["fetch"] = async ({ certificates }) =>
  Response.json(certificates?.map(hashOf) ?? null);

function hashOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("hex");
}

async function asking(act: (port: number) => Promise<void>): Promise<void> {
  const listening = await serve({ fetch: hashes }, { port: 0, cert, key, requestCert: true });
  try {
    await act(listening.port);
  } finally {
    await listening.close();
  }
}

async function get(port: number, options: RequestOptions = {}, body?: string): Promise<unknown> {
  const target = { host: "localhost", port, ca: authority, agent: false };
  const text = await new Promise<string>((resolve, reject) => {
    const sent = httpsRequest({ ...target, ...options }, (response) => {
      readText(response).then(resolve, reject);
    });
    sent.on("error", reject).end(body);
  });
  return JSON.parse(text);
}

interface Tokens {
  access_token: string;
  error?: string;
}

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const below = { cert: pemOf("below", "intermediate"), key: keyPemOf("below") };
const belowHashes = [derOf("below"), derOf("intermediate")].map(hashOf);

/** Runs a test where an application sees certificates. Bun shows it none, and must say so. */
function itShown(title: string, test: () => Promise<void>): void {
  it(title, isBun ? isRefusedOnBun : test);
}

async function isRefusedOnBun(): Promise<void> {
  const asked = () => serve({ fetch: hashes }, { port: 0, cert, key, requestCert: true });
  await assertRejects(asked, Error, "does not show the certificates of clients");
}

describe("serve with requestCert (RFC 8705, section 2)", () => {
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    itShown(`passes on the certificates of a client, its own first, with ${version}`, async () => {
      await asking(async (port) => {
        const limits = { minVersion: version, maxVersion: version };
        assertEquals(await get(port, { ...below, ...limits }), belowHashes);
      });
    });
  }

  itShown("serves a client without a certificate, and one that signed its own", async () => {
    await asking(async (port) => {
      assertEquals(await get(port), null);
      const own = { cert, key, ca: undefined, rejectUnauthorized: false };
      assertEquals(await get(port, own), [hashOf(derFrom(cert))]);
    });
  });

  itShown(
    "passes on all of them again on another connection, and on one that is kept",
    async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 10 });
      await asking(async (port) => {
        for (let count = 0; count < 3; count++) {
          assertEquals(await get(port, { ...below, agent }), belowHashes);
          const other = { ...below, agent, headers: { Connection: "close" } };
          assertEquals(await get(port, other), belowHashes);
        }
        // The server closes while this connection is kept.
        assertEquals(await get(port, { ...below, agent }), belowHashes);
      });
      agent.destroy();
    },
  );

  itShown("asks for none on other ports, and needs a certificate itself", async () => {
    const listening = await serve({ fetch: hashes }, { port: 0, cert, key });
    try {
      assertEquals(await get(listening.port, below), null);
    } finally {
      await listening.close();
    }
    const plain = () => serve({ fetch: hashes }, { port: 0, requestCert: true });
    await assertRejects(plain, Error, "the server needs one: 'cert' and 'key'");
  });
});

/** Runs `hallpass serve` with a client that authenticates with a certificate. */
async function withArguments(act: (args: string[], ports: number[]) => Promise<void>) {
  const [port, mtlsPort] = [await findFreePort(), await findFreePort()];
  const configuration = {
    issuer: `https://localhost:${port}`,
    ...{ port, mtlsPort, cert: "cert.pem", key: "key.pem", mtlsCa: "ca.pem", alg: "EdDSA" },
    mtlsHost: "0.0.0.0",
    scopes: { read: "Read" },
    clients: [{
      id: "below",
      authentication: ["tls_client_auth"],
      tlsClientAuthSubjectDn: "CN=below",
      certificateBoundTokens: true,
      grantTypes: ["client_credentials"],
      scopes: ["read"],
    }],
  };
  const files = { "cert.pem": cert, "key.pem": key, "ca.pem": pemOf("authority") };
  await inFolder(async (folder) => {
    const config = Object.fromEntries(
      Object.entries(configuration).map(([name, value]) =>
        Object.hasOwn(files, String(value)) ? [name, join(folder, String(value))] : [name, value]
      ),
    );
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, "hallpass.json"), JSON.stringify(config));
    await act(["serve", "--config", join(folder, "hallpass.json")], [port, mtlsPort]);
  });
}

describe("hallpass serve with mtlsPort", () => {
  it("authenticates a client at an alias, and binds its token; is refused on Bun", async () => {
    await withArguments(async (args, [port = 0, mtlsPort = 0]) => {
      if (isBun) {
        const { code, output } = await runProgram(args);
        // N4: systemd must not try again.
        assertEquals(code, 2, output);
        assertMatch(output, /^ {2}- Bun, .*on Node \(dist\/npm\) or Deno, or let a proxy/m);
        return;
      }
      const server = await startProgram(args);
      try {
        const path = "/.well-known/openid-configuration";
        const metadata = await get(port, { path }) as Record<string, Record<string, string>>;
        const token = new URL(metadata.mtls_endpoint_aliases?.token_endpoint ?? "");
        assertEquals(token.origin, `https://localhost:${mtlsPort}`);
        assertMatch(
          server.output(),
          new RegExp(`^mtls: https://127\\.0\\.0\\.1:${mtlsPort}$`, "m"),
        );
        // P3: only that port is open to other machines.
        const isOpen = (port: number) => isListening("127.0.0.2", port);
        assertEquals(await Promise.all([isOpen(mtlsPort), isOpen(port)]), [true, false]);
        const post = { method: "POST", path: token.pathname, headers: form };
        const body = "grant_type=client_credentials&client_id=below&scope=read";
        const { access_token } = await get(mtlsPort, { ...below, ...post }, body) as Tokens;
        const payload = JSON.parse(atob(access_token.split(".")[1] ?? ""));
        const hash = createHash("sha256").update(derOf("below")).digest("base64url");
        assertEquals(payload.cnf, { "x5t#S256": hash });
        for (const elsewhere of [port, mtlsPort]) {
          const { error } = await get(elsewhere, post, body) as Tokens;
          assertEquals(error, "invalid_client");
        }
      } finally {
        assertEquals(await server.stop(), 0, server.output());
      }
    });
  });

  itShown(
    "publishes the port that it got with --mtls-port 0, in the metadata and its output",
    async () => {
      await withArguments(async (args, [port = 0]) => {
        const server = await startProgram([...args, "--mtls-port", "0"]);
        try {
          const path = "/.well-known/openid-configuration";
          const metadata = await get(port, { path }) as Record<string, Record<string, string>>;
          const { origin, port: got } = new URL(
            metadata.mtls_endpoint_aliases?.token_endpoint ?? "",
          );
          assertMatch(origin, /^https:\/\/localhost:[1-9]\d+$/);
          assertMatch(server.output(), new RegExp(`^mtls: https://127\\.0\\.0\\.1:${got}$`, "m"));
          const named = await get(Number(got), { path }) as Record<string, unknown>;
          assertEquals(named.issuer, `https://localhost:${port}`);
        } finally {
          assertEquals(await server.stop(), 0, server.output());
        }
      });
    },
  );
});

describe("hallpass client add", () => {
  it("accepts what serve accepts with HALLPASS_MTLS_CA and HALLPASS_MTLS_PORT", async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, "ca.pem"), pemOf("authority"));
      const client = {
        redirectUris: ["https://app.example/cb"],
        authentication: ["tls_client_auth"],
        tlsClientAuthSubjectDn: "CN=below",
        certificateBoundTokens: true,
      };
      const add = (environment: object) =>
        runCommandLine(["client", "add", "below", "--stdin"], {
          ...{ HALLPASS_STORE: `sqlite:${join(folder, "a.db")}`, HALLPASS_MTLS_PORT: "9443" },
          ...environment,
        }, JSON.stringify(client));
      const refused = await add({});
      assertMatch(
        refused.output,
        /'tls_client_auth', which this .*: it needs 'mtls.authorities'$/m,
      );
      const added = await add({ HALLPASS_MTLS_CA: join(folder, "ca.pem") });
      assertEquals(added.code, 0, added.output);
    });
  });
});

function derFrom(pem: string): Uint8Array {
  return Uint8Array.from(
    atob(pem.replace(/-----[^-]+-----|\s/g, "")),
    (char) => char.charCodeAt(0),
  );
}
