import { assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommand } from "../../../../scripts/child.ts";
import type { ProviderName } from "../../../../src/lab/features/providers/config.ts";
import { serve } from "../../../../src/runtime/serve.ts";
import { type Browser, unescape } from "../../../support/browser.ts";
import { completed } from "../../../support/completed.ts";
import { inFolder } from "../../../support/folder.ts";
import { openLabKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";

/**
 * How a printed program runs, and the provider whose token request it sends. Go is left out: it would
 * compile its network packages, which takes longer than everything else here.
 */
const programs: Array<
  [language: string, file: string, tool: string, provider: ProviderName, library?: string]
> = [
  ["fetch", "request.mjs", "node", "entra"],
  ["Python", "request.py", "python3", "github", "requests"],
  ["Java", "SendRequest.java", "java", "google"],
];

async function followToEnd(browser: Browser, url: string): Promise<string> {
  const response = await browser.request(url, { headers: { Accept: "text/html" } });
  const location = response.headers.get("Location");
  if (location === null) return await response.text();
  return await followToEnd(browser, new URL(location, url).href);
}

function codeIn(html: string, language: string): string {
  const [, part = ""] = html.split(`id="code-exchange-${language}"`);
  return unescape(present(/<code[^>]*>([\s\S]*?)<\/code>/.exec(part)?.[1]));
}

describe("The token request of a provider, as a program that the page prints", () => {
  for (const [language, file, tool, provider, library] of programs) {
    const missing = spawnSync(tool, ["--version"]).status !== 0;
    const lacks = library && spawnSync(tool, ["-c", `import ${library}`]).status !== 0;
    const skip = (missing && `this machine has no '${tool}'`) ||
      (lacks && `this machine's '${tool}' has no '${library}'`) || false;
    it(`gets tokens as it is: ${language}, ${provider}`, { skip }, async () => {
      const listening = await serve({ fetch: (request) => kit.lab.fetch(request) }, { port: 0 });
      const issuer = `http://localhost:${listening.port}`;
      const kit = openLabKit({ ...await completed({ issuer, provider }), signIn: "alice" });
      try {
        const start = `${issuer}/start?client_id=demo-web`;
        const end = await followToEnd(kit.browser(), start);
        await inFolder(async (folder) => {
          await writeFile(join(folder, file), codeIn(end, language));
          const { output } = await runCommand([tool, file], { cwd: folder, timeout: 60_000 });
          assertMatch(output, /^200 [\s\S]*access_token/);
        });
      } finally {
        await listening.close();
      }
    });
  }
});
