import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { describe } from "node:test";
import type { Environment } from "../../../src/program/terminal/terminal.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { openFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { needs } from "../../support/where_feature.ts";

/** Returns what invites a user of a store in a folder, and reads where the link leads. */
async function openStore() {
  const { folder, [Symbol.asyncDispose]: dispose } = await openFolder();
  const invite = async (environment: Environment, ...options: string[]) => {
    const store = ["--store", `sqlite:${join(folder, "a.db")}`];
    const args = ["user", "invite", "ada", ...store, ...options];
    const { output } = await runCommandLine(args, environment);
    return /^http\S+(?=\/invite)/m.exec(output)?.[0] ?? output;
  };
  return { invite, [Symbol.asyncDispose]: dispose };
}

const it = itWith({ withStore: openStore });

describe("A command on the store of a server without an issuer", () => {
  it.withStore(
    "takes the port from where the server takes it",
    needs("account pages"),
    async ({ invite }) => {
      assertEquals(await invite({}), "http://localhost:9000");
      assertEquals(await invite({ HALLPASS_PORT: "9100" }), "http://localhost:9100");
      assertEquals(await invite({ PORT: "9200" }), "http://localhost:9200");
      assertEquals(await invite({ PORT: "9200" }, "--port", "9300"), "http://localhost:9300");
      assertMatch(await invite({ HALLPASS_PORT: "0" }), /any free port.*--issuer URL or --port/);
    },
  );
});
