import { assertEquals } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { authority, cert, key } from "../../support/certificate.ts";
import { eventually } from "../../support/eventually.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";

const skip = spawnSync("nginx", ["-v"]).error ? "nginx is missing: apt-get install nginx" : false;

const service = {
  id: "service",
  authentication: ["tls_client_auth" as const],
  tlsClientAuthSubjectDn: "CN=service",
  grantTypes: ["client_credentials"],
};

/** Starts nginx with the file that RUNNING.md names, in front of a lab. */
async function behindNginx(act: (lab: Lab, url: string) => Promise<void>): Promise<void> {
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  const url = `https://localhost:${tlsPort}`;
  await using lab = openLab({
    issuer: `http://localhost:${port}`,
    mtls: { url, proxies: "loopback" },
    clients: [service],
  });
  const listening = await serve(lab, { port });
  await inFolder(async (folder) => {
    const file = await readFile("scripts/deploy/nginx_client_certificates.conf", "utf8");
    const server = file.replace("listen 443", `listen ${tlsPort}`)
      // Not every machine has IPv6.
      .replace(/^ *listen \[::\].*$/m, "")
      .replace("127.0.0.1:9000", `127.0.0.1:${port}`)
      .replaceAll("/etc/ssl/hallpass/", `${folder}/`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
    const preamble = `daemon off; pid ${folder}/nginx.pid; error_log stderr;`;
    const path = join(folder, "test.conf");
    await writeFile(join(folder, "fullchain.pem"), cert);
    await writeFile(join(folder, "privkey.pem"), key);
    await writeFile(
      path,
      `${preamble} events {} http { access_log off; ${temporary}\n${server}\n}`,
    );
    const nginx = spawn("nginx", ["-e", "stderr", "-p", folder, "-c", path], { stdio: "ignore" });
    try {
      await eventually(() => requestToken(url, {}));
      await act(lab, url);
    } finally {
      nginx.kill();
      await once(nginx, "exit");
    }
  });
  await listening.close();
}

/** Asks for a token as the service, and returns the status. */
async function requestToken(url: string, certificate: object, headers = {}): Promise<number> {
  using client = Deno.createHttpClient({ caCerts: [authority], ...certificate });
  const body = new URLSearchParams({
    ...{ grant_type: "client_credentials", client_id: "service", scope: "read" },
  });
  const request = { method: "POST", body, headers, client };
  const response = await fetch(`${url}/oauth2/token`, request);
  await response.body?.cancel();
  return response.status;
}

describe("nginx with nginx_client_certificates.conf (RFC 9440)", () => {
  it(
    "passes on the certificate of a client, and nothing that a client claims",
    { skip },
    async () => {
      await behindNginx(async (lab, url) => {
        const own = await lab.certificate("service");
        assertEquals(await requestToken(url, own), 200);
        assertEquals(await requestToken(url, await lab.certificate("other")), 401);
        const claimed = { "Client-Cert": `:${own.jwk.x5c?.[0]}:` };
        assertEquals(await requestToken(url, {}, claimed), 401);
        // Even from this machine, which is the proxy, the header counts at no other host.
        assertEquals(await requestToken(lab.issuer, {}, claimed), 400);
      });
    },
  );
});
