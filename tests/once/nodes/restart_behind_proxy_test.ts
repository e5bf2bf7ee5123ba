import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { binary } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";
import { commandFor } from "../../support/program.ts";
import { startLoad, startSite } from "./rolling_restart.ts";

const nginxMissing = spawnSync("nginx", ["-v"]).error
  ? "nginx is missing: apt-get install nginx"
  : false;
const skip = nginxMissing || postgresMissing;
// Outside of the tests, which share it. It ends with this process.
const store = skip ? "" : (await startPostgres()).url;

const runtimes: Record<string, () => Promise<string[]>> = {
  Deno: () => Promise.resolve(commandFor("src/main.ts")),
  Bun: async () => [await binary("bun@1"), "src/main.ts"],
  Node: async () => [await binary("node@24"), present(process.env.HALLPASS_TEST_MAIN)],
};

describe("Servers behind nginx that are restarted one after the other, under load", () => {
  for (const [runtime, command] of Object.entries(runtimes)) {
    it(
      `R5: fail no request on ${runtime}, by a connection each or by kept ones`,
      { skip },
      async () => {
        await inFolder(async (folder) => {
          const site = await startSite(folder, await command(), store);
          const loads = site.urls.map((url) => startLoad(url));
          await site.restartAll(loads);
          for (const load of loads) {
            const { requests, failures } = await load.stop();
            assertEquals(failures, []);
            assert(requests > 100, `${requests} requests`);
          }
          await site.close();
        });
      },
    );
  }
});
