import { assertEquals, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { ConfigError } from "../../../src/server/config/problems.ts";
import { itWith } from "../../support/it_with.ts";
import { openLabKit } from "../../support/kit.ts";

const it = itWith({ inLab: openLabKit });
const users = [{ name: "zoe" }];

describe("Renewed settings of a lab", () => {
  it.inLab("are those that a reset returns to", async ({ lab }) => {
    const start = lab.settings.config();
    lab.settings.renew({ ...start, users });
    assertEquals(lab.users.list(), users);
    lab.users.put({ name: "yan" });
    await lab.reset();
    assertEquals(lab.users.list(), users);
  });

  it.inLab("replace what a test changed, but not what it recorded", async ({ lab, tokens }) => {
    await tokens();
    const before = lab.flows().length;
    lab.configure({ notice: "Of a test." });
    lab.settings.renew({ ...lab.settings.config(), notice: "Of the file." });
    assertEquals(lab.settings.read().notice, "Of the file.");
    lab.settings.reset();
    assertEquals(lab.settings.read().notice, "Of the file.");
    assertEquals([lab.flows().length, before > 0], [before, true]);
  });

  it.inLab("change nothing if the lab rejects them", async ({ lab }) => {
    const start = lab.settings.config();
    const invalid = { ...start, users: [{ name: "" }, { name: "a" }, { name: "a" }] };
    assertThrows(() => lab.settings.renew(invalid), ConfigError);
    assertEquals(lab.settings.config(), start);
    await lab.reset();
    assertEquals(lab.users.list().some(({ name }) => name === "a"), false);
  });
});
