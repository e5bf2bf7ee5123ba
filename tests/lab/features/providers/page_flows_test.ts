import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { type ProviderName, providerNames } from "../../../../src/lab/features/providers/config.ts";
import { greetLab } from "../../../../src/program/lab/greeting.ts";
import { type Browser, type Page, textOf, unescape } from "../../../support/browser.ts";
import { completed } from "../../../support/completed.ts";
import { openLabKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { hasFeature } from "../../../support/where_feature.ts";
import { runCurl } from "../../run_curl.ts";

const issuer = "http://localhost:9000";
const html = { headers: { Accept: "text/html" } };

/** What can follow a code, where a provider does not have all of it. */
const followUps: Partial<Record<ProviderName, string[]>> = {
  apple: ["exchange", "refresh", "revoke"],
  entra: ["exchange", "userinfo", "refresh"],
  github: ["exchange", "userinfo", "refresh"],
  linkedin: ["exchange", "userinfo", "refresh"],
  slack: ["exchange", "userinfo", "refresh"],
  gitlab: ["exchange", "userinfo", "refresh", "introspect", "revoke"],
  keycloak: ["exchange", "userinfo", "refresh", "introspect", "revoke"],
  okta: ["exchange", "userinfo", "refresh", "introspect", "revoke"],
};

type LabKit = ReturnType<typeof openLabKit>;

async function openPlaying(provider?: ProviderName): Promise<LabKit> {
  return openLabKit({ ...await completed({ issuer, provider }), signIn: "alice" });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const response = await browser.request(url, html);
  const { status, headers } = response;
  return { url, status, headers, html: await response.text() };
}

async function openHome({ lab, browser }: LabKit): Promise<Page> {
  return await openPage(browser(), `${lab.context.settings.frontChannelUrl.replace(/\/$/, "")}/`);
}

/** Follows redirects up to the page at which the flow ends. */
async function followToCallback(browser: Browser, url: string): Promise<string> {
  if (new URL(url).pathname.endsWith("/authorized")) return url;
  const location = present((await browser.request(url, html)).headers.get("Location"));
  return await followToCallback(browser, new URL(location, url).href);
}

/** Returns the commands that a page shows, without the token request that is still to come. */
function commandsIn({ html }: Page): string[] {
  const commands = [...html.matchAll(/<code data-copy="[^"]*">(curl [\s\S]*?)<\/code>/g)];
  return commands.map(([, text = ""]) => unescape(text)).filter((text) => !/=CODE\b/.test(text));
}

describe("The home page of a lab that plays a provider, or none", () => {
  for (const provider of [undefined, ...providerNames]) {
    it(`prints commands that work as printed, and leads to no missing page: ${provider}`, async () => {
      const kit = await openPlaying(provider);
      const home = await openHome(kit);
      const { base } = kit.lab.context.settings;
      const paths = kit.lab.clients.list().map(({ id }) => `${base}/lab/clients/${id}`);
      const pages = await Promise.all(paths.map((path) => openPage(kit.browser(), issuer + path)));
      for (const command of pages.flatMap(commandsIn)) {
        const { status } = await runCurl(kit.lab.fetch, command);
        assert(status === 200 || status === 201, `${status}: ${command}`);
      }
      for (const [, href = ""] of home.html.matchAll(/href="(\/[^"]*)"/g)) {
        const { status } = await kit.browser().request(new URL(unescape(href), issuer).href, html);
        assert(status < 400, `${status}: ${href}`);
      }
    });
  }
});

describe("A flow that starts at a lab that plays a provider", () => {
  for (const provider of providerNames) {
    it(`goes on at /authorized to everything that ${provider} has`, async () => {
      const kit = await openPlaying(provider);
      const browser = kit.browser();
      const { html: home } = await openHome(kit);
      assertMatch(home, /<option value="demo-web"/);
      const start = `${present(/formaction="([^"]*)"/i.exec(home)?.[1])}?client_id=demo-web`;
      const callback = await followToCallback(browser, new URL(start, issuer).href);
      const send = async (step: string) => {
        await browser.submit(await openPage(browser, callback), `send-${step}`);
        return await openPage(browser, callback);
      };
      const exchanged = await send("exchange");
      const shown = [...exchanged.html.matchAll(/<section class="panel" id="([a-z]+)">/g)];
      const names = shown.map(([, name = ""]) => name).filter((name) => name !== "issued");
      const all = followUps[provider] ?? ["exchange", "userinfo", "refresh", "revoke"];
      const expected = all.filter((each) => each !== "introspect" || hasFeature("introspection"));
      assertEquals(names, expected);
      for (const name of names) {
        if (!exchanged.html.includes(`id="send-${name}"`)) continue;
        const page = name === "exchange" ? exchanged : await send(name);
        const [, section = ""] = page.html.split(`<section class="panel" id="${name}">`);
        assertMatch(section, /^[\s\S]*?class="tag good">200</, name);
        const path = unescape(present(/href="([^"]*\/lab\/flows\/[^"]*)"/.exec(section)?.[1]));
        const flow = await openPage(browser, new URL(path, issuer).href);
        assertEquals(flow.status, 200);
        if (name === "exchange") {
          assertNotMatch(textOf(flow.html), /revoked|lab rejects it/);
          assertMatch(textOf(flow.html), /access token active/);
        }
      }
    });
  }
});

describe("The greeting of a lab that plays a provider", () => {
  const greet = async ({ lab }: LabKit) => (await greetLab({ server: lab, address: issuer })).text;

  for (const provider of providerNames) {
    it(`has a link and a command that work at ${provider}`, async () => {
      const kit = await openPlaying(provider);
      const text = await greet(kit);
      const [link, command] = [/^ {4}(http\S+)/m, /^ {4}(curl .*)/m].map((part) =>
        present(part.exec(text)?.[1])
      );
      const callback = new URL(await followToCallback(kit.browser(), present(link)));
      const code = callback.searchParams.get("code") ?? "";
      const response = await runCurl(kit.lab.fetch, `${command}${encodeURIComponent(code)}`);
      assertEquals(response.status, 200);
      assertMatch(await response.text(), /access_token/);
    });
  }
});
