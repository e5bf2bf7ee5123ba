import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { connect, createServer } from "node:tls";
import { createAuthority } from "../../src/lab/certificates/lab_certificate.ts";
import { listen } from "../support/listen.ts";

const hosts = ["localhost", "accounts.google.com"];
const foreign = ["evil.example", "google.com", "127.0.0.1", "[2001:db8::1]"];

/** Returns why a client that trusts an authority refuses a server, or undefined. */
async function refusal(
  authority: Awaited<ReturnType<typeof createAuthority>>,
  certified: string[],
  host: string,
) {
  const { cert, key } = await authority.certify(certified);
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on("tlsClientError", () => {});
  await using listening = await listen(server);
  const { port } = listening;
  return await new Promise<Error | undefined>((resolve) => {
    const options = { host: "127.0.0.1", port, servername: host, ca: authority.ca };
    const socket = connect(options, () => {
      resolve(undefined);
      socket.destroy();
    });
    socket.on("error", resolve);
  });
}

describe("The authority of a lab", () => {
  it("is trusted by the TLS of this runtime for its hosts", async () => {
    const authority = await createAuthority(hosts);
    assertEquals(await refusal(authority, hosts, "accounts.google.com"), undefined);
  });

  it("is refused for another host, although it signed the certificate", async () => {
    const authority = await createAuthority(hosts);
    for (const host of ["evil.example", "google.com"]) {
      const problem = await refusal(authority, [host], host);
      assertEquals(problem instanceof Error, true, `${host} was accepted`);
    }
  });

  it("is accepted by openssl for its hosts, and refused for others", async (test) => {
    if (spawnSync("openssl", ["version"]).status !== 0) return test.skip("needs openssl");
    const folder = mkdtempSync(join(tmpdir(), "hallpass-authority-"));
    try {
      const authority = await createAuthority(hosts);
      writeFileSync(join(folder, "ca.pem"), authority.ca);
      const verify = async (host: string) => {
        writeFileSync(join(folder, "server.pem"), (await authority.certify([host])).cert);
        const options = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem"];
        return spawnSync("openssl", [...options, "server.pem"], { cwd: folder });
      };
      for (const host of hosts) assertMatch(String((await verify(host)).stdout), /: OK/);
      for (const host of foreign) {
        assertMatch(String((await verify(host)).stderr), /subtree violation/, host);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
