import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { openStore } from "../../../src/program/operate/open_store.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import type { Kit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { addByLink, enrol, openPasskeyKit, signInByPassword } from "./passkey_kit.ts";

/** Opens a server on a store, and runs commands on the same store. */
async function withCommands(
  act: (
    kit: Kit,
    run: (command: string) => ReturnType<typeof runCommandLine>,
    require: (required: "all") => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const address = `sqlite:${folder}/passkeys.db`;
    const store = await openStore(address, { isRealTime: false });
    const kit = await openPasskeyKit({ store });
    const config = `${folder}/hallpass.json`;
    const configure = (passkeys: unknown) =>
      writeFile(config, JSON.stringify({ issuer: kit.issuer, passkeys }));
    await configure("offered");
    const where = ["--config", config, "--store", address];
    await act(
      kit,
      async (command) => await runCommandLine([...command.split(" "), ...where]),
      (required) => configure({ required }),
    );
    await store.close?.();
  });
}

describe("hallpass user passkeys", () => {
  it("lists passkeys, removes one, and ends what the user had", async () => {
    await withCommands(async (kit, run) => {
      assertStringIncludes(
        (await run("user passkeys dora")).output,
        "The user has no passkeys.",
      );
      const browser = kit.browser();
      await signInByPassword(kit, browser);
      await enrol(kit, browser);
      const { output } = await run("user passkeys dora --json");
      const [{ id, ...listed }] = JSON.parse(output.slice(output.indexOf("[")));
      assertEquals([listed.name, listed.kind, listed.host], [
        "Passkey",
        "synced",
        new URL(kit.issuer).hostname,
      ]);
      assertStringIncludes((await run("user show dora")).output, '"passkeys": 1');
      assertEquals((await run("user passkeys dora --remove other")).code, 1);
      assertEquals((await run(`user passkeys dora --remove ${id}`)).code, 0);
      assertMatch((await browser.open(`${kit.issuer}/account`)).html, /id="sign-in"/);
      assertStringIncludes((await run("log --about dora")).output, "user passkeys");
    });
  });

  it("prints a link by which the user replaces lost passkeys", async () => {
    await withCommands(async (kit, run) => {
      const browser = kit.browser();
      await signInByPassword(kit, browser);
      const { authenticator } = await enrol(kit, browser);
      const { output } = await run("user passkeys dora --reset --lost");
      const url = present(/http\S+\/passkeys\/new\?\S+/.exec(output)?.[0]);
      const signIn = await kit.browser().open(`${kit.issuer}/account`);
      assertEquals(signIn.html.includes("passkey"), false);
      const other = kit.browser();
      const { url: next } = await other.open(url);
      const page = await other.open(new URL(next, kit.issuer).href);
      const added = await addByLink(kit, other, page, authenticator.userHandle);
      assertStringIncludes(added.page.html, "Your passkey is saved.");
    });
  });

  it("is named by user invite where the user must sign in by passkey", async () => {
    await withCommands(async (_, run, require) => {
      const hint = "hallpass user passkeys eve --reset";
      assertEquals((await run("user invite eve")).output.includes(hint), false);
      await require("all");
      assertStringIncludes((await run("user invite eve")).output, hint);
    });
  });

  for (
    const [command, message] of [
      ["user passkeys dora --lost", "--lost needs --reset."],
      ["user passkeys dora --reset --remove a", "Use --remove or --reset."],
      ["user passkeys eve", "There is no user 'eve'."],
    ] as const
  ) {
    it(`refuses: hallpass ${command}`, async () => {
      await withCommands(async (_, run) => {
        const { code, output } = await run(command);
        assertEquals(code === 0, false);
        assertStringIncludes(output, message);
      });
    });
  }
});
