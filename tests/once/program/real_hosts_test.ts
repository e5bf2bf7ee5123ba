import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { connect } from "node:tls";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { getAsHost } from "../../support/get_as_host.ts";
import { commandFor, startProgram } from "../../support/program.ts";

const discovery = "/.well-known/openid-configuration";

/** Returns the names of the certificate that a port shows. */
function certifiedNames(port: number, ca: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca }, () => {
    const { subjectAltName = "" } = new X509Certificate(socket.getPeerCertificate(true).raw);
    socket.destroy();
    resolve(subjectAltName);
  });
  socket.on("error", reject);
  return promise;
}

describe("hallpass lab --provider google --provider github --hosts", () => {
  it("is at the real hosts, with a certificate for them alone, and writes no key", async () => {
    await inFolder(async (folder) => {
      const port = await findFreePort();
      const options = ["--provider", "google", "--provider", "github", "--hosts"];
      const command = ["env", "-C", folder, ...commandFor(resolve("src/main.ts"))];
      const program = await startProgram(["lab", ...options, "--port", `${port}`], {}, command);
      const file = join(folder, "hallpass-ca.pem");
      assertStringIncludes(program.output(), `NODE_EXTRA_CA_CERTS=${file} `);
      assertMatch(program.output(), /# hallpass' \| sudo tee -a \/etc\/hosts/);
      assertEquals(readdirSync(folder), ["hallpass-ca.pem"]);
      const ca = readFileSync(file, "utf8");
      assertEquals(ca.match(/BEGIN [A-Z ]+/g), ["BEGIN CERTIFICATE"]);

      const metadata = await getAsHost(port, ca, `https://accounts.google.com${discovery}`);
      assertEquals(JSON.parse(metadata.text).token_endpoint, "https://oauth2.googleapis.com/token");
      assertEquals((await getAsHost(port, ca, "https://api.github.com/user")).status, 401);
      assertEquals((await getAsHost(port, ca, "https://github.com/lab/clock")).status, 404);
      assertEquals((await getAsHost(port, ca, "https://localhost/lab/clock")).status, 200);
      assertEquals(
        await certifiedNames(port, ca),
        ["localhost", "accounts.google.com", "oauth2.googleapis.com"]
          .concat(["openidconnect.googleapis.com", "www.googleapis.com"])
          .concat(["github.com", "api.github.com"]).map((name) => `DNS:${name}`).join(", "),
      );
      await program.stop();
    });
  });
});
