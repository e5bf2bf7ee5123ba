import type { Lab } from "../src/lab/lab.ts";
import { unescapeHtml } from "../src/lab/util/html_forms.ts";
import { type OpenSite, openSite, siteOrigin } from "../tests/corpus/broken/open_site.ts";
import { call, type Json } from "../tests/corpus/harness/measured_lab.ts";

/**
 * The time of the lab in the pictures of the README: it stands still, so that they stay the same.
 */
export const pictureTime = Date.UTC(2026, 0, 1, 12);

/** The pages in the pictures of the README, by the names of their files in `.github/`. */
export const pictures = ["home", "authorized", "refused", "drill"] as const;

/** The path of the flow in the picture. */
export const refusedFlowPath = "/lab/flows/flow-1";

/** Redeems the code of a callback as a client that mixed up its verifiers. */
export async function redeemWithWrongVerifier(lab: Lab, callback: string): Promise<void> {
  const code = new URL(callback).searchParams.get("code") ?? "";
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: `${lab.issuer}/authorized`,
    code_verifier: "w".repeat(43),
    client_id: "demo-spa",
  });
  await lab.fetch(new Request(`${lab.issuer}/oauth2/token`, { method: "POST", body }));
}

/**
 * Opens a lab with a small application, and drills it. The application has two mistakes: it takes an
 * ID token that is meant for another one, and finds a user's account by the e-mail address.
 */
export async function openDrilledSite(): Promise<OpenSite & { result: Json }> {
  const site = await openSite({
    lab: { now: () => pictureTime },
    change: () => ({
      checkAud: () => {},
      accountKey: (_claims, { email = "" }) => email,
    }),
  });
  const paths = { start: "/account", refresh: "/refresh", logout: "/logout" };
  const urls = Object.entries(paths).map(([name, path]) => [name, siteOrigin + path]);
  return { ...site, result: await call(site, "POST /drill", Object.fromEntries(urls)) };
}

/** Selectors of what is below the picture of a page, which would be long. */
export const below: Partial<Record<(typeof pictures)[number], string>> = {
  refused: "#step-request",
  drill: "details.panel.group",
};

/** What the selector for a drill's page finds first. */
const foldedPart = '<details class="panel group"';

/** Tags that do not begin a new line. */
const inline = /<\/?(?:a|code|strong|em|span|kbd|wbr)\b[^>]*>/g;

/** The light of a page that follows the lab: a script turns it on. */
const connection = /<span class="connection"[\s\S]*?<\/span><\/span>/;

/**
 * A code, a token or another random value: 256 bits of base64url, a signed JWT, or bytes in
 * hexadecimal.
 */
const random = /eyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-f]{64}\b|[\w-]{43}/g;

/**
 * Returns the text in the picture of a page, one line per element. Random values become "…", so that
 * the text of two visits is the same.
 */
export function picturedText(name: (typeof pictures)[number], html: string): string {
  if (name !== "drill") return pageText(html);
  const [above = ""] = html.split(foldedPart, 1);
  return pageText(above).replace(flowNumbers, "…");
}

/** A drill numbers its flows as its checks go, and each of them may become another number. */
const flowNumbers = /(?<=\bFlows )\d+|(?<=\bflow-)\d+/g;

function pageText(html: string): string {
  const text = html
    .replace(/<head>[\s\S]*?<\/head>/, "")
    .replace(/<(script|style|button)\b[\s\S]*?<\/\1>/g, "")
    .replace(connection, "")
    .replace(random, "…")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
  const lines = unescapeHtml(text).split("\n");
  return `${lines.map((line) => line.trim()).filter(Boolean).join("\n")}\n`;
}
