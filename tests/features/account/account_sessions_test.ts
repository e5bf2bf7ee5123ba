import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { signOut as signOutUser } from "../../../src/administration/users.ts";
import { listSessions } from "../../../src/server/issuer/sessions/session_lists.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import { type Browser, type Page, readForm, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { isActive, type Kit, openKit } from "../../support/kit.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";

const it = itWith({ inKit: openKit });

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function openAccount(kit: Kit, browser: Browser): Promise<Page> {
  return await browser.open(`${kit.issuer}/account`);
}

async function sessionsOf({ server: { context } }: Kit, name = "alice"): Promise<string[]> {
  const user = present(await findUser(context, name));
  return (await listSessions(context, user)).map(({ sid }) => sid);
}

/** Returns the text of the part of a page that shows the sessions. */
function sessionsIn({ html }: Page): string {
  return textOf(present(/<section class="card" id="sessions">[\s\S]*?<\/section>/.exec(html))[0]);
}

/** A user who is signed in with two browsers; the sign-in with the second one was an hour later. */
async function signedInTwice(kit: Kit) {
  const first = Object.assign(kit.browser(), { userAgent: firefox });
  await signedIn(kit, {}, undefined, first);
  kit.clock.advance(3600);
  const { browser: second } = await signedIn(kit);
  return { first, second };
}

describe("The sessions on the account page", () => {
  it.inKit("say which browser each belongs to, and when its user signed in", async (kit) => {
    const { first, second } = await signedInTwice(kit);
    kit.clock.advance(60);
    assertEquals(
      sessionsIn(await openAccount(kit, first)),
      "Where you are signed in Firefox on Linux This browser · Signed in 1 hour ago " +
        "Unknown browser Signed in 1 minute ago Sign out Sign out everywhere else " +
        "Signing out ends the access of applications, except those that you allowed to continue " +
        "while you're away.",
    );
    assertMatch(
      sessionsIn(await openAccount(kit, second)),
      /^Where you are signed in Unknown browser This browser · .* Firefox on Linux Signed in 1 hour/,
    );
  });

  it("are those of no other user, though one name is the beginning of the other", async () => {
    const names = ["a", "a/b", "ab"];
    const kit = openKit({ users: names.map((name) => ({ name, password: name })) });
    for (const user of names) await signedIn(kit, {}, { user });
    for (const user of names) assertEquals((await sessionsOf(kit, user)).length, 1, user);
  });

  it("leave out those that have expired or were ended", async () => {
    const kit = openKit({ lifetimes: { session: "2h" } });
    const { first, second } = await signedInTwice(kit);
    await second.submit(await openAccount(kit, second), "sign-out");
    assertEquals((await sessionsOf(kit)).length, 1);
    kit.clock.advance(3600);
    assertEquals(await sessionsOf(kit), []);
    assertEquals(await whoIsSignedIn(kit, first), undefined);
  });

  it.inKit("are one after another sign-in of the same user with the same browser", async (kit) => {
    const { browser } = await signedIn(kit);
    const before = await sessionsOf(kit);
    await signedIn(kit, { prompt: "login" }, undefined, browser);
    assertEquals([before.length, await sessionsOf(kit)], [1, before]);
  });

  it.inKit("fold all but ten, however many there are", async (kit) => {
    for (let count = 0; count < 12; count++) await signedIn(kit);
    const { browser } = await signedIn(kit);
    const { html } = await openAccount(kit, browser);
    assertStringIncludes(html, "<summary>Show 3 more</summary>");
  });
});

describe("Ending a session on the account page", () => {
  it.inKit("signs that browser out, and leaves this one and others as they are", async (kit) => {
    const { first, second } = await signedInTwice(kit);
    const { browser: third } = await signedIn(kit);
    const [, , oldest] = await sessionsOf(kit);
    const page = await openAccount(kit, second);
    const response = await second.submit(page, `end-session-${oldest}`);
    assertEquals(response.url, "/account");
    const browsers = [first, second, third];
    assertEquals(await Promise.all(browsers.map((browser) => whoIsSignedIn(kit, browser))), [
      undefined,
      "alice",
      "alice",
    ]);
    assert(kit.events.some((event) => event.type === "session.ended" && event.sid === oldest));
  });

  it.inKit("ends what was issued in it, but not what was to outlive it", async (kit) => {
    const { browser } = await signedIn(kit);
    const tokens = await kit.tokens({ scope: "openid" });
    const offline = await kit.tokens({ scope: "openid offline_access", prompt: "consent" });
    await browser.submit(await openAccount(kit, browser), "end-other-sessions");
    const active = [tokens, offline].map(({ access_token }) => isActive(kit, access_token));
    assertEquals(await Promise.all(active), [false, true]);
  });

  it.inKit("can end all but this one at once, and those of no other user", async (kit) => {
    const { first, second } = await signedInTwice(kit);
    const { browser: bobs } = await signedIn(kit, {}, { user: "bob" });
    const page = await second.submit(await openAccount(kit, second), "end-other-sessions");
    assertEquals(page.url, "/account");
    const names = [first, second, bobs].map((browser) => whoIsSignedIn(kit, browser));
    assertEquals(await Promise.all(names), [undefined, "alice", "bob"]);
    assert(!(await openAccount(kit, second)).html.includes("end-other-sessions"));
  });

  it.inKit("needs a form that was made for this browser and this session", async (kit) => {
    const { first, second } = await signedInTwice(kit);
    const page = await openAccount(kit, second);
    const send = (browser: Browser, form_token: string) =>
      browser.request(`${kit.issuer}/account/sessions`, {
        method: "POST",
        body: new URLSearchParams({ form_token, session: "others" }),
      });
    const token = present(readForm(page, "end-other-sessions").hidden.form_token);
    const statuses = [(await send(first, token)).status, (await send(second, "x")).status];
    assertEquals([statuses, (await sessionsOf(kit)).length], [[403, 403], 2]);
    assertEquals((await send(kit.browser(), token)).headers.get("Location"), "/account");
    assertEquals((await sessionsOf(kit)).length, 2);
  });

  it.inKit("cannot end the session of another user, nor this browser's", async (kit) => {
    const { first } = await signedInTwice(kit);
    await signedIn(kit, {}, { user: "bob" });
    const own = await sessionsOf(kit);
    const page = await openAccount(kit, first);
    for (const session of [...await sessionsOf(kit, "bob"), own[1], "", "x"]) {
      await first.submit(page, "end-other-sessions", { session: present(session) });
    }
    assertEquals([await sessionsOf(kit), (await sessionsOf(kit, "bob")).length], [own, 1]);
  });

  it.inKit("was done for all of them when the operator signs the user out", async (kit) => {
    await signedInTwice(kit);
    await signOutUser(kit.server.context, "alice");
    assertEquals(await sessionsOf(kit), []);
  });
});
