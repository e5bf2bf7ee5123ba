import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { textOf } from "../support/browser.ts";
import { type Fields, openKit } from "../support/kit.ts";

const callback = "https://hallpass.test/authorized";
const rightToLeft = "مطبعة";
const things = Array.from({ length: 40 }, (_, at) => `thing.${at}`);

/** Signs alice in for a request, and returns the consent page. */
async function openConsent(config: Partial<LabConfig>, changes: Fields = {}): Promise<string> {
  const kit = openKit(config);
  const browser = kit.browser();
  const signIn = await browser.open(kit.authorizationUrl(changes));
  const consent = await browser.signIn(signIn);
  return consent.html;
}

/** Returns the entries of each list of scopes. */
function listsIn(html: string): string[][] {
  const lists = [...html.matchAll(/<ul class="scopes">(.*?)<\/ul>/gs)];
  return lists.map(([, list = ""]) => [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(String));
}

describe("The consent page", () => {
  it("A38 shows ten scopes, and folds the others", async () => {
    const scopes = Object.fromEntries(things.map((name) => [name, `Change ${name}`]));
    const html = await openConsent({ scopes }, { scope: things.join(" ") });
    assertEquals(listsIn(html).map(({ length }) => length), [10, 30]);
    assertMatch(html, /<details><summary>Show 30 more<\/summary><ul class="scopes">/);
  });

  it("says what a scope means before its name; one without a text has only the name", async () => {
    const scopes = { read: "Read your things", write: { text: {} } };
    const html = await openConsent({ scopes }, { scope: "read write" });
    const [[read = "", write = ""] = []] = listsIn(html);
    assertMatch(read, /Read your things.*>read<\/code>/);
    assertEquals(textOf(write).trim().split(" ")[0], "write");
  });

  it("groups what it can do, and information about the user", async () => {
    const html = await openConsent({}, { scope: "openid read email offline_access" });
    assertMatch(
      textOf(html),
      /What it can do .* read .*Information about you .* openid .* email .* Allow/,
    );
  });

  it("names the redirect URI and the pages of the client above all that can be allowed", async () => {
    const clients = [{
      id: "shop",
      secret: "s".repeat(40),
      redirectUris: [callback],
      policyUri: "https://shop.example/privacy",
    }];
    const html = await openConsent({ clients }, { client_id: "shop", redirect_uri: callback });
    const [above = ""] = html.split('id="change-account"');
    assertStringIncludes(textOf(above), callback);
    assertStringIncludes(above, "https://shop.example/privacy");
    assertMatch(html, /id="destination".*id="change-account".*id="allow"/s);
  });

  it("names the user by name and e-mail address, else by the user name", async () => {
    const user = (claims: Record<string, unknown>) => ({
      users: [{ name: "alice", password: "alice", claims }],
    });
    const identity = async (claims: Record<string, unknown>) =>
      textOf(/<p class="identity">(.*?)<\/p>/.exec(await openConsent(user(claims)))?.[1] ?? "");
    assertEquals((await identity({ name: "Al", email: "a@b.example" })).trim(), "Al a@b.example");
    assertEquals((await identity({ name: "Al" })).trim(), "Al alice");
    assertEquals((await identity({ email: "a@b.example" })).trim(), "alice a@b.example");
    assertEquals((await identity({ name: 7, email: " " })).trim(), "alice");
  });

  it("isolates names in another script, on lines of their own", async () => {
    const clients = [{ id: "demo-spa", name: rightToLeft, redirectUris: [callback] }];
    const users = [{ name: "alice", password: "alice", claims: { name: rightToLeft } }];
    const html = await openConsent({ clients, users });
    assertStringIncludes(html, `<p class="party"><bdi>${rightToLeft}</bdi></p>`);
    assertStringIncludes(html, `<bdi class="name">${rightToLeft}</bdi>`);
  });

  it("names claims that the request wants by name, which only one with openid can have", async () => {
    const claims = '{"userinfo":{"email":null}}';
    const names = async (scope: string) =>
      /email/.test(textOf(await openConsent({}, { scope, claims })));
    assertEquals([await names("openid"), await names("read")], [true, false]);
  });

  it("arms its button by a script that runs before the button is there", async () => {
    const html = await openConsent({});
    assertMatch(html, /<script src="\/static\/guard\.\w+\.js"><\/script><\/head>/);
    assertMatch(html, /<button id="allow"[^>]* data-guarded/);
  });
});
