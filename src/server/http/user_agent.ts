import type { RequestHeaders } from "./incoming_request.ts";

/** A browser and its operating system, as a user would name them. */
export interface UserAgent {
  browser?: string | undefined;
  system?: string | undefined;
}

type NamePatterns = ReadonlyArray<readonly [name: string, pattern: RegExp]>;

/** In this order: most browsers name those that they descend from as well. */
const browsers: NamePatterns = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];

const systems: NamePatterns = [
  ["Windows", /\bWindows\b/],
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac(?:intosh| OS X)\b/],
  ["Linux", /\bLinux\b/],
];

/**
 * Recognizes the browser that a request comes from. The result is one of few names, and never text
 * of the request: it is stored, and shown to the user.
 */
export function readUserAgent(headers: RequestHeaders): UserAgent {
  const userAgent = headers.get("User-Agent") ?? "";
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) };
}

function nameIn(names: NamePatterns, userAgent: string): string | undefined {
  return names.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
