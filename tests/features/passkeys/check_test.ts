import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { openStore } from "../../../src/program/operate/open_store.ts";
import type { Config } from "../../../src/server/features.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import { enrol, openPasskeyKit, signInByPassword } from "./passkey_kit.ts";

/** Returns what a check prints about a configuration, with a store in which dora has a passkey. */
async function check(config: Partial<Config>, isEnrolled = false): Promise<string> {
  return await inFolder(async (folder) => {
    const address = `sqlite:${folder}/passkeys.db`;
    const store = await openStore(address, { isRealTime: false });
    const kit = await openPasskeyKit({ store });
    const browser = kit.browser();
    await signInByPassword(kit, browser);
    if (isEnrolled) await enrol(kit, browser);
    await store.close?.();
    const file = `${folder}/hallpass.json`;
    const given = { issuer: kit.issuer, ...config };
    await writeFile(file, JSON.stringify(given));
    return (await runCommandLine(["check", "--config", file, "--store", address])).output;
  });
}

const users = [{ name: "eve", password: "a password of eve", claims: { groups: ["staff"] } }];
const required = (groups: "all" | string[], rpId?: string) => ({
  passkeys: { required: groups, ...rpId && { rpId } },
});

const sentences: ReadonlyArray<[title: string, config: Partial<Config>, sentence: string]> = [
  ["who may", { passkeys: "offered" }, "Passkeys      offered, for hallpass.test"],
  ["who must", required(["others"]), "Passkeys      required of others, for hallpass.test"],
  ["that they are off", { passkeys: "off" }, "Passkeys      off\n"],
  [
    "an address",
    { issuer: "https://192.0.2.1", passkeys: "offered" },
    "off: browsers offer none at an address, as 192.0.2.1 is",
  ],
  [
    "an IPv6 address",
    { issuer: "https://[2001:db8::1]", passkeys: "offered" },
    "off: browsers offer none at an address, as [2001:db8::1] is",
  ],
  [
    "a demand at an address",
    { issuer: "https://192.0.2.1", ...required("all") },
    "passkeys.required locks users out: browsers offer none at an address",
  ],
  [
    "a demand that locks a user of the configuration out",
    { ...required(["staff"]), users },
    "passkeys.required locks 'eve' out: users of the configuration have no passkeys",
  ],
  [
    "a host that is no parent",
    { passkeys: { rpId: "pass.test" } },
    "passkeys.rpId must be 'hallpass.test', or a parent domain of it with a dot inside",
  ],
  [
    "a parent without a dot",
    { passkeys: { rpId: "test" } },
    "passkeys.rpId must be 'hallpass.test'",
  ],
  [
    "a parent",
    { issuer: "https://id.hallpass.test", passkeys: { rpId: "hallpass.test" } },
    "Passkeys      offered, for hallpass.test",
  ],
  [
    "users who can sign in no longer",
    required(["staff"]),
    "1 user must sign in by passkey, and has none that works here.",
  ],
  ["phr for all", { ...required("all"), acrValues: ["phr"] }, "The configuration is valid."],
  [
    "phr for some",
    { ...required(["others"]), acrValues: ["phr"] },
    "acrValues begins with 'phr'",
  ],
];

describe("hallpass check, about passkeys", () => {
  for (const [title, config, sentence] of sentences) {
    it(`names ${title}`, async () => {
      const output = await check(config);
      assertStringIncludes(output.replace(/\n {2,}/g, " "), sentence);
    });
  }

  it("counts those of another host", async () => {
    assertEquals((await check(required(["staff"]), true)).includes("warning: 1 "), false);
    const output = await check({ issuer: "https://new.example", passkeys: "offered" }, true);
    assertStringIncludes(
      output,
      "1 passkey cannot be used, because they are for new.example now.",
    );
  });
});
