import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../src/lab/lab.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { brokenApplications, sourceOf } from "../../src/playground/broken_applications.ts";
import { applicationUri } from "../../src/playground/messages.ts";

const issuer = "http://localhost:9000/tab-1";
const redirectUri = applicationUri(issuer);

/** Runs the application as its frame does, with a user who signs in at once, and returns its text. */
async function signIn(lab: Lab, source: string): Promise<string> {
  const elements: Record<string, { textContent?: string; onclick?: () => Promise<void> }> = {
    "text": {},
    "sign-in": {},
  };
  const frame = {
    issuer,
    redirectUri,
    clientId: "demo-spa",
    document: { getElementById: (id: string) => elements[id] },
    fetch: (url: string, options?: RequestInit) => lab.fetch(new Request(url, options)),
    openInLab: async (url: URL) => (await lab.fetch(new Request(url))).headers.get("Location"),
  };
  new Function(...Object.keys(frame), source)(...Object.values(frame));
  await elements["sign-in"]?.onclick?.();
  return elements["text"]?.textContent ?? "";
}

async function reportedOf(source: string): Promise<{ text: string; ids: string[] }> {
  const lab = openLab({ issuer, redirectUris: [redirectUri], signIn: "alice" });
  try {
    const text = await signIn(lab, source);
    const { findings, refused } = lab.report();
    return { text, ids: [...findings, ...refused].map(({ id }) => id) };
  } finally {
    await lab.close();
  }
}

describe("The application of the playground", () => {
  it("signs a user in, and the lab has nothing against it", async () => {
    assertEquals(await reportedOf(sourceOf("correct")), { text: "Hello, Alice Adler!", ids: [] });
  });

  for (const { name, title, finding, from } of brokenApplications) {
    it(`is reported when it is broken: ${title}`, async () => {
      assertEquals(sourceOf("correct").split(from.join("\n")).length, 2);
      const { ids } = await reportedOf(sourceOf(name));
      assert(ids.includes(finding), ids.join());
    });
  }
});
