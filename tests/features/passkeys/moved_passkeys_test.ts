import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { openStore } from "../../../src/program/operate/open_store.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { openFolder } from "../../support/folder.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { openEnrolled, signInByPasskey } from "./passkey_kit.ts";
import type { SoftwareAuthenticator } from "./software_authenticator.ts";

/** Opens stores of SQLite, and runs commands on them. */
async function openStores() {
  const opened = await openFolder();
  const config = `${opened.folder}/hallpass.json`;
  const addressOf = (name: string) => `sqlite:${opened.folder}/${name}.db`;
  return {
    config,
    path: opened.folder,
    open: async (name: string) => await openStore(addressOf(name), { isRealTime: false }),
    run: async (name: string, command: string) =>
      await runCommandLine([
        ...command.split(" "),
        ...["--config", config, "--store", addressOf(name)],
      ]),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Has a user with a passkey in the store "one", and the file that exports them. */
async function exportEnrolled(stores: Awaited<ReturnType<typeof openStores>>) {
  const store = await stores.open("one");
  const { kit, browser, authenticator, signIn } = await openEnrolled({ store });
  await writeFile(
    stores.config,
    JSON.stringify({ issuer: kit.issuer, passkeys: "offered", clients: [spa()] }),
  );
  const recent = (await signIn()).browser;
  await recent.submit(await recent.open(`${kit.issuer}/account/passkeys`), "only-passkeys");
  const { output } = await stores.run("one", "user export");
  const line = output.slice(output.indexOf('{"name"')).trim();
  const file = `${stores.path}/users.jsonl`;
  await writeFile(file, line);
  return { kit, browser, authenticator, store, file, line };
}

/** Signs in on a server of the store "two", and returns the page that manages passkeys. */
async function managedPage(
  stores: Awaited<ReturnType<typeof openStores>>,
  issuer: string,
  authenticator: SoftwareAuthenticator,
): Promise<string> {
  const store = await stores.open("two");
  const kit = openStrictKit({ users: [], clients: [spa()], passkeys: "offered", issuer, store });
  const browser = kit.browser();
  const page = await browser.open(`${kit.issuer}/account`);
  await signInByPasskey(kit, browser, page, authenticator);
  const { html } = await browser.open(`${kit.issuer}/account/passkeys`);
  await store.close?.();
  return html;
}

describe("Passkeys that move to another store", () => {
  it("sign their user in there, who still signs in by them alone", async () => {
    await using stores = await openStores();
    const { kit: first, store, authenticator, file } = await exportEnrolled(stores);
    assertStringIncludes((await stores.run("two", `user import ${file}`)).output, "Added 1 users.");
    assertStringIncludes((await stores.run("two", `user import ${file}`)).output, "1 were there");
    const html = await managedPage(stores, first.issuer, authenticator);
    assertStringIncludes(html, 'id="also-password"');
    assertMatch(html, /id="passkey-list"[^>]*data-ids="\S+"/);
    await store.close?.();
  });

  it("stay whose they are: what belongs to another user is not imported", async () => {
    await using stores = await openStores();
    const { store, file, line } = await exportEnrolled(stores);
    await store.close?.();
    const eve = { ...JSON.parse(line), name: "eve" };
    const others = [
      eve,
      // The same credential with another handle.
      { ...eve, name: "mallory", passkeys: { ...eve.passkeys, handle: "b3RoZXI" } },
    ];
    await writeFile(file, others.map((each) => JSON.stringify(each)).join("\n"));
    const { output } = await stores.run("one", `user import ${file}`);
    assertStringIncludes(output, "'eve' was not added: its passkeys belong to another user");
    assertStringIncludes(output, "'mallory' was not added: its passkeys belong to another user");
    assertStringIncludes((await stores.run("one", "user passkeys dora --json")).output, '"synced"');
  });

  it("are stored by an import that goes on after an interruption", async () => {
    await using stores = await openStores();
    const { store, file, kit } = await exportEnrolled(stores);
    const { users } = kit.server.context.records;
    await users.delete("dora");
    const { output } = await stores.run("one", `user import ${file}`);
    assertStringIncludes(output, "Added 1 users.");
    assertStringIncludes((await stores.run("one", "user passkeys dora --json")).output, '"synced"');
    await store.close?.();
  });

  it("are checked before any user is added", async () => {
    await using stores = await openStores();
    const { store, file, line } = await exportEnrolled(stores);
    await store.close?.();
    const { passkeys, ...user } = JSON.parse(line);
    const [passkey] = passkeys.list;
    const wrong = [
      { ...passkeys, handle: "a b" },
      { ...passkeys, list: [] },
      { ...passkeys, list: [{ ...passkey, publicKey: "AAAA" }] },
      { ...passkeys, list: [{ ...passkey, algorithm: 5 }] },
      { ...passkeys, list: [{ ...passkey, counter: -1 }] },
      { ...passkeys, list: Array.from({ length: 21 }, (_, at) => ({ ...passkey, id: `a${at}` })) },
      { ...passkeys, list: [passkey, passkey] },
      "passkeys",
    ];
    const lines = wrong.map((each) => JSON.stringify({ ...user, passkeys: each }));
    await writeFile(file, lines.join("\n"));
    const { output } = await stores.run("two", `user import ${file}`);
    assertStringIncludes(output, `${wrong.length} of ${wrong.length} users are not valid`);
    await writeFile(stores.config, JSON.stringify({ issuer: "http://127.0.0.1:1" }));
    await writeFile(file, line);
    const none = await stores.run("two", `user import ${file}`);
    assertStringIncludes(none.output, "passkeys cannot be imported: this server offers none");
  });

  it("are in a backup, and sign their user in after it is restored", async () => {
    await using stores = await openStores();
    const { kit: first, store, authenticator } = await exportEnrolled(stores);
    const { code, output } = await stores.run("one", `backup ${stores.path}/all.backup`);
    assertEquals(code, 0, output);
    const restored = await stores.run("two", `restore ${stores.path}/all.backup`);
    assertEquals(restored.code, 0, restored.output);
    const html = await managedPage(stores, first.issuer, authenticator);
    assertStringIncludes(html, 'id="also-password"');
    await store.close?.();
  });
});
