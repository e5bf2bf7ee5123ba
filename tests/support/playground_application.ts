import type { Lab } from "../../src/lab/lab.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { applicationUri } from "../../src/playground/messages.ts";
import { completed } from "./completed.ts";

const url = "http://localhost:9000/tab-1";
const redirectUri = applicationUri(url);

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

async function openWith(settings: Partial<LabConfig>): Promise<Lab> {
  const lab = openLab(
    await completed({ ...settings, issuer: url, redirectUris: [redirectUri], signIn: "alice" }),
  );
  await lab.openConfiguredTenants();
  return lab;
}

/** Returns what an application shows in a lab with some settings, and what the lab reports. */
export async function reportedOf(source: string, settings: Partial<LabConfig> = {}) {
  const lab = await openWith(settings);
  try {
    const text = await signIn(lab, source);
    const { findings, refused } = lab.report();
    return { text, ids: [...findings, ...refused].map(({ id }) => id) };
  } finally {
    await lab.close();
  }
}
