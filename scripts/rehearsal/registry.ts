/** An npm registry on this machine, for rehearsals. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { succeed } from "../child.ts";
import { fetched } from "../downloads.ts";

/** A registry that knows what was published to it, and nothing else. */
export interface Registry extends AsyncDisposable {
  url: string;
  publish(archive: string): Promise<void>;
}

/**
 * Starts a registry that keeps its files in a folder. Its lock file overrides a package that only
 * its audits need, and whose tag has been removed.
 */
export async function openRegistry(folder: string): Promise<Registry> {
  const installed = await fetched("scripts/rehearsal/verdaccio");
  await mkdir(folder, { recursive: true });
  const child = spawn("node", [join(installed, "registry.mjs"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const host = `127.0.0.1:${await portIn(createInterface(child.stdout))}`;
  const url = `http://${host}/`;
  return {
    url,
    publish: async (archive) => {
      // npm publishes nothing without a token, and this registry reads none.
      const flags = ["--access", "public", "--registry", url, `--//${host}/:_authToken=none`];
      await succeed(["npm", "publish", ...flags, archive], folder, { npm_config_offline: "" });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}

async function portIn(lines: AsyncIterable<string>): Promise<string> {
  const printed: string[] = [];
  for await (const line of lines) {
    const [, port] = /^port (\d+)$/.exec(line) ?? [];
    if (port !== undefined) return port;
    printed.push(line);
  }
  throw new Error(`The registry does not start:\n${printed.join("\n")}`);
}
