import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { features } from "../../src/lab/features.ts";
import { type ProviderName, providerNames } from "../../src/lab/features/providers/config.ts";
import { openConfiguredTenants } from "../../src/lab/handling/complete_settings.ts";
import type { Lab } from "../../src/lab/lab.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { brokenApplications, sourceOf } from "../../src/playground/broken_applications.ts";
import { applicationUri } from "../../src/playground/messages.ts";
import { completed } from "../support/completed.ts";

const url = "http://localhost:9000/tab-1";
const redirectUri = applicationUri(url);

/** Those without metadata of OpenID Connect, which the application needs. */
const withoutMetadata: readonly ProviderName[] = ["discord", "github"];

/** What cannot be seen at a provider: one has no userinfo, the tokens of another have no end. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  apple: ["no-nonce", "expired-token"],
  slack: ["expired-token"],
};

/** Runs the application as its frame does, with a user who signs in at once, and returns its text. */
async function signIn(lab: Lab, source: string): Promise<string> {
  const elements: Record<string, { textContent?: string; onclick?: () => Promise<void> }> = {
    "text": {},
    "sign-in": {},
  };
  const frame = {
    lab: url,
    issuer: lab.issuer,
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

async function openAt(provider: ProviderName | undefined): Promise<Lab> {
  const lab = openLab(
    await completed({
      ...provider && { provider },
      issuer: url,
      redirectUris: [redirectUri],
      signIn: "alice",
    }),
  );
  await openConfiguredTenants(lab, lab.settings.config(), features);
  return lab;
}

async function reportedOf(source: string, provider?: ProviderName) {
  const lab = await openAt(provider);
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

  for (const provider of providerNames) {
    if (withoutMetadata.includes(provider)) {
      it(`says that ${provider} has no metadata`, async () => {
        const { text } = await reportedOf(sourceOf("correct"), provider);
        assertEquals(text, "Stopped: This server has no metadata of OpenID Connect.");
      });
      continue;
    }
    it(`signs a user in at ${provider}, and is reported there when it is broken`, async () => {
      const { text, ids } = await reportedOf(sourceOf("correct"), provider);
      assertMatch(text, /^Hello, /);
      assertEquals(ids, []);
      for (const { name, finding } of brokenApplications) {
        const { ids } = await reportedOf(sourceOf(name), provider);
        assertEquals(ids.includes(finding), !unseen[provider]?.includes(name), `${name}: ${ids}`);
      }
    });
  }
});
