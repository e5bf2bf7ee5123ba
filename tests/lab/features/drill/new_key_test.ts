import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openSite, siteOrigin } from "../../../corpus/broken/open_site.ts";
import type { Site } from "../../../corpus/broken/site.ts";
import { call } from "../../../corpus/harness/measured_lab.ts";

const keepsKeys = (site: Site): Partial<Site> => ({
  async findKey(kid) {
    if (site.keys.size === 0) await site.fetchKeys();
    return site.keys.get(kid);
  },
});

async function drill(change: typeof keepsKeys | undefined, options: object) {
  await using lab = await openSite(change && { change });
  const login = { start: `${siteOrigin}/account`, only: ["new_key"] };
  const result = await call(lab, "POST /drill", { ...login, ...options });
  const { checks: [check], findings, verdict: { untested } } = result;
  const isUntested = untested.some(({ what }: { what: string }) => what === "a new key");
  assertEquals(isUntested, check.skipped !== undefined);
  return {
    isSkipped: isUntested,
    findings: findings.map(({ id, grade }: { id: string; grade: string }) => `${grade} ${id}`),
  };
}

describe("A drill with an ID token of a new key", () => {
  it("finds an application that keeps the keys of its provider for good", async () => {
    const expected = { isSkipped: false, findings: ["C new_key"] };
    assertEquals(await drill(keepsKeys, { keyWait: 0 }), expected);
  });

  it("shows nothing of one that may wait before it fetches keys again", async () => {
    assertEquals(await drill(keepsKeys, {}), { isSkipped: true, findings: [] });
  });

  it("finds nothing in one that fetches them", async () => {
    const expected = { isSkipped: false, findings: [] };
    assertEquals(await drill(undefined, { keyWait: 0 }), expected);
  });
});
