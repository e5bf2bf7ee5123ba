import { assertEquals } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { authority, cert, key } from "../../support/certificate.ts";
import { installPackage } from "../../support/package.ts";

/** How each runtime runs a file. */
const runtimes: ReadonlyArray<[name: string, command: () => Promise<string[]>]> = [
  ["Deno", async () => [process.execPath, "run", "--allow-all", "--no-check"]],
  ["Bun", async () => [await binary("bun@1")]],
  ["Node", async () => [await binary("node@24")]],
];

/**
 * Fetches from a server of its own by http and by https, open and guarded, and prints what came.
 */
const fetchBoth = `
  const open = guardedFetch({ allowPrivate: true });
  const { signal } = new AbortController();
  const request = { method: "GET", headers: {}, redirect: "manual", signal };
  const answer = (_, response) => response.end("here");
  const servers = [["http", http.createServer(answer)], ["https", https.createServer(pair, answer)]];
  for (const [scheme, server] of servers) {
    server.listen(0, "localhost", async () => {
      const url = scheme + "://localhost:" + server.address().port + "/";
      console.log(scheme, await open(url, request).then((r) => r.text(), String));
      if (scheme === "https") console.log(await guardedFetch()(url, request).catch(String));
      server.close();
    });
  }
`;

const names = ["http", "https"];
const forms = {
  "an ES module": {
    file: "outbound.mjs",
    code: `import { guardedFetch } from "hallpass/serve";\n` +
      names.map((name) => `import ${name} from "node:${name}";\n`).join(""),
  },
  CommonJS: {
    file: "outbound.cjs",
    code: `const { guardedFetch } = require("hallpass/serve");\n` +
      names.map((name) => `const ${name} = require("node:${name}");\n`).join(""),
  },
};

describe("The guarded fetch of the npm package", () => {
  for (const [runtime, command] of runtimes) {
    for (const [form, { file, code }] of Object.entries(forms)) {
      it(`I1: fetches what it may on ${runtime} in ${form}`, async () => {
        const folder = join(await installPackage(), `outbound-${runtime}`);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "authority.pem"), authority);
        const pair = `const pair = ${JSON.stringify({ cert, key })};`;
        await writeFile(join(folder, file), code + pair + fetchBoth);
        const env = { NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") };
        const output = await succeed([...await command(), file], folder, env);
        assertEquals(output.trim().split("\n").sort(), [
          "OutboundError: the host 'localhost' has no public address",
          "http here",
          "https here",
        ]);
      });
    }
  }
});
