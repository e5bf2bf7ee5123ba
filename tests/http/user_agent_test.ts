import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { readUserAgent } from "../../src/server/http/user_agent.ts";

const mozilla = "Mozilla/5.0";
const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const chrome = "Chrome/140.0.0.0";

type Case = [userAgent: string, browser: string | undefined, system: string | undefined];

const cases: Case[] = [
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox", "Linux"],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} ${chrome} Safari/537.36`,
    "Chrome",
    "Windows",
  ],
  [`${mozilla} (Windows NT 10.0) ${webkit} ${chrome} Safari/537.36 Edg/140.0`, "Edge", "Windows"],
  [`${mozilla} (Windows NT 10.0) ${webkit} ${chrome} Safari/537.36 OPR/120.0`, "Opera", "Windows"],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18 Safari/605.1`,
    "Safari",
    "macOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18 Safari/604.1`,
    "Safari",
    "iOS",
  ],
  [
    `${mozilla} (iPad; CPU OS 18_0 like Mac OS X) ${webkit} CriOS/140.0 Safari/604.1`,
    "Chrome",
    "iOS",
  ],
  [`${mozilla} (Linux; Android 15) ${webkit} ${chrome} Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `${mozilla} (Linux; Android 15) ${webkit} SamsungBrowser/28.0 ${chrome} Safari/537.36`,
    ...["Samsung Internet", "Android"] as const,
  ],
  [
    `${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} ${chrome} Safari/537.36`,
    "Chrome",
    "ChromeOS",
  ],
  ["curl/8.5.0", undefined, undefined],
  ["<script>alert(1)</script>", undefined, undefined],
  ["", undefined, undefined],
];

describe("readUserAgent", () => {
  for (const [userAgent, browser, system] of cases) {
    it(`recognizes ${browser} on ${system} in '${userAgent}'`, () => {
      const headers = new Headers({ "User-Agent": userAgent });
      assertEquals(readUserAgent(headers), { browser, system });
    });
  }
});
