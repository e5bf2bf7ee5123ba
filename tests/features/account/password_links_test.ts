import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import { setClaims } from "../../../src/administration/user_claims.ts";
import * as users from "../../../src/administration/users.ts";
import {
  createPasswordLink,
  listPasswordLinks,
  revokePasswordLink,
} from "../../../src/server/features/account/password_links.ts";
import { AdminError } from "../../../src/server/issuer/records/lock.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import type { Browser, Page } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { isActive, openStrictKit, seesTokens, spa } from "../../support/kit.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { watchedStore } from "../../support/stores.ts";
import { withAddress } from "../../support/with_address.ts";

const first = "the first password";
const second = "another password";
const demoService = {
  id: "demo-service",
  secret: "demo-service-secret",
  grantTypes: ["client_credentials"],
};
const scopes = { openid: "Know who you are", offline_access: "Stay signed in", read: "Read" };

/** A server with the user dora, who has a password, and eve, who has none. */
async function openLinks() {
  const store = watchedStore();
  const clients = [spa(), { ...seesTokens, ...demoService }];
  const kit = openStrictKit({ clients, scopes, store, guessesPerMinute: 1 });
  const { context: ctx } = kit.server;
  await users.add(ctx, { name: "dora", password: first });
  await users.add(ctx, { name: "eve", claims: { email: "eve@mail.example" } });
  const link = async (name = "dora", kind: "invite" | "reset" = "reset") =>
    (await createPasswordLink(ctx, name, kind)).url;
  const choose = (browser: Browser, page: Page, password = second, repeated = password) =>
    browser.submit(page, "choose-password", {
      new_password: password,
      repeated_password: repeated,
    });
  const open = async (url: string, browser = kit.browser()) =>
    await browser.open(new URL((await browser.open(url)).url, kit.issuer).href);
  /** Opens a link and chooses the second password. Returns the title of the page after that. */
  const use = async (url: string) => {
    const browser = kit.browser();
    const page = await open(url, browser);
    const last = page.html.includes("choose-password") ? await choose(browser, page) : page;
    return /<h1>(.*)<\/h1>/.exec(last.html)?.[1];
  };
  const isPassword = async (password: string, name = "dora") => {
    const browser = kit.browser();
    const page = await browser.open(`${kit.issuer}/account`);
    return (await browser.signIn(page, name, password)).status === 303;
  };
  return { kit, ctx, store, link, open, choose, use, isPassword };
}

type Links = Awaited<ReturnType<typeof openLinks>>;

const it = itWith({ withLinks: openLinks });
const saved = "Your password is saved";
const isVoid = "This link does not work";

describe("A link to choose a password", () => {
  it.withLinks("lets a new user choose the first one, and signs nobody in", async (links) => {
    const { kit, link, use, isPassword } = links;
    const url = await link("eve", "invite");
    assertMatch(url, /^https:\/\/hallpass\.test\/invite\?user=eve&link=[\w-]{43}$/);
    assertEquals(await use(url), saved);
    assertEquals(await isPassword(second, "eve"), true);
    assert(kit.events.some((event) => event.type === "password.chosen" && event.link === "invite"));
  });

  it.withLinks("leaves the address at once, with a redirect that is kept nowhere", async (links) => {
    const { kit, link } = links;
    const { status, headers } = await kit.browser().request(await link());
    assertEquals([status, headers.get("Location")], [303, "/reset"]);
    assertEquals(headers.get("Referrer-Policy"), "no-referrer");
    assertEquals(headers.get("Cache-Control"), "no-store");
    assertMatch(
      headers.get("Set-Cookie") ?? "",
      /^__Host-\S+; Path=\/; HttpOnly; SameSite=Lax; Secure/,
    );
  });

  it.withLinks("has a form that no other site can send, on a page that is kept nowhere", async (links) => {
    const { kit, link, open, choose, use } = links;
    const url = await link();
    const browser = kit.browser();
    const page = await open(url, browser);
    assertEquals(page.headers.get("Referrer-Policy"), "no-referrer");
    assertEquals(page.headers.get("Cache-Control"), "no-store");
    const forged = page.html.replace(
      /name="form_token" value="[^"]*"/,
      'name="form_token" value="x"',
    );
    assertEquals((await choose(browser, { ...page, html: forged })).status, 403);
    assertEquals(await use(url), saved);
  });

  it.withLinks("is not used by programs that open it, however often", async (links) => {
    const { kit, store, link, open, use } = links;
    const url = await link();
    const before = store.writes.length;
    for (const method of ["GET", "GET", "HEAD"]) {
      await kit.browser().request(url, { method });
      await open(url);
    }
    // The first link of a server makes the secret of its budgets.
    assertEquals(store.writes.slice(before).filter((write) => write !== "add secret"), []);
    assertEquals(await use(url), saved);
  });

  it.withLinks("is stored as a hash, and is in no event", async (links) => {
    const { kit, store, link, use } = links;
    const url = await link();
    const secret = present(new URL(url).searchParams.get("link"));
    await use(url);
    assertEquals(store.texts.join().includes(secret), false);
    assertEquals(JSON.stringify(kit.events).includes(secret), false);
  });

  it.withLinks("works once, even if two forms come at once", async (links) => {
    const { kit, link, open, choose } = links;
    const url = await link();
    const browsers = [kit.browser(), kit.browser()];
    const pages = await Promise.all(browsers.map((browser) => open(url, browser)));
    const results = await Promise.all(
      browsers.map((browser, at) => choose(browser, present(pages[at]))),
    );
    assertEquals(results.filter(({ status }) => status === 200).length, 1);
    assertEquals(kit.events.filter(({ type }) => type === "password.chosen").length, 1);
  });

  it.withLinks("can be tried again with a better password", async (links) => {
    const { kit, link, open, choose } = links;
    const browser = kit.browser();
    const page = await open(await link(), browser);
    const refused = [
      await choose(browser, page, "short"),
      await choose(browser, page, second, first),
      await choose(browser, page, "dora"),
    ];
    assertEquals(refused.map(({ status }) => status), [422, 422, 422]);
    assertStringIncludes(present(refused[1]).html, "The new passwords do not match");
    assertEquals((await choose(browser, present(refused[2]))).status, 200);
  });
});

describe("A forgotten password", () => {
  it.withLinks("is valid until the link is used", async ({ link, use, isPassword }) => {
    const url = await link();
    assertEquals(await isPassword(first), true);
    await use(url);
    assertEquals([await isPassword(first), await isPassword(second)], [false, true]);
  });

  it.withLinks("takes every session and grant with it, offline access and this browser included", async (links) => {
    const { kit, link, open, choose } = links;
    const { browser } = await signedIn(kit, { scope: "openid" }, { user: "dora", password: first });
    const offline = { scope: "openid offline_access", prompt: "consent" };
    const code = await kit.code(offline, { user: "dora", password: first });
    const { body } = await kit.redeem(code);
    await choose(browser, await open(await link(), browser));
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
    assertEquals(await isActive(kit, body.access_token), false);
    assertEquals((await kit.refresh(body.refresh_token)).status, 400);
  });

  it.withLinks("makes no browser familiar any more", async (links) => {
    const { kit, link, open, choose } = links;
    const { browser } = await signedIn(kit, { scope: "openid" }, { user: "dora", password: first });
    const guess = async (guessing: Browser) => {
      const page = await guessing.open(`${kit.issuer}/account`);
      return (await guessing.signIn(page, "dora", "a wrong guess")).status;
    };
    const lockOut = async () => {
      while (await guess(kit.browser()) !== 429);
    };
    const out = async () => {
      await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
    };
    await out();
    await lockOut();
    // A familiar browser has guesses of its own.
    assertEquals(await guess(browser), 422);
    kit.clock.advance(60);
    await choose(browser, await open(await link(), browser));
    await lockOut();
    assertEquals(await guess(browser), 429);
  });
});

/** What makes a link void. */
const voids: Readonly<Record<string, (links: Links, url: string) => unknown>> = {
  "a day": ({ kit }) => kit.clock.advance(24 * 60 * 60),
  "its use": ({ use }, url) => use(url),
  "a second link": ({ link }) => link(),
  "an administrator who revokes it": ({ ctx }) => revokePasswordLink(ctx, "dora"),
  "a password of an administrator": ({ ctx }) => users.setPassword(ctx, "dora", "x".repeat(9)),
  "a password that the user has changed since": async ({ kit }) => {
    const browser = kit.browser();
    await browser.signIn(await browser.open(`${kit.issuer}/account`), "dora", first);
    const page = await browser.open(`${kit.issuer}/account/password`);
    const typed = { current_password: first, new_password: second, repeated_password: second };
    assertEquals((await browser.submit(page, "change-password", typed)).status, 303);
  },
  "disabling, even if the user is enabled again": async ({ ctx }) => {
    await users.disable(ctx, "dora");
    await users.enable(ctx, "dora");
  },
  "a removal, even if another user gets the name": async ({ ctx }) => {
    await users.remove(ctx, "dora");
    await users.add(ctx, { name: "dora", sub: "another", password: first });
  },
};

describe("A link is void after", () => {
  for (const [what, act] of Object.entries(voids)) {
    it.withLinks(what, async (links) => {
      const { kit, link, open, choose, use } = links;
      const url = await link();
      const browser = kit.browser();
      const page = await open(url, browser);
      await act(links, url);
      assertEquals(await use(url), isVoid);
      assertEquals((await choose(browser, page)).status, 403);
    });
  }

  it.withLinks("a change of its user or its secret", async ({ link, use }) => {
    const url = await link();
    assertEquals(await use(url.replace("user=dora", "user=eve")), isVoid);
    assertEquals(await use(`${url}x`), isVoid);
    assertEquals(await use(url.replace(/link=.*/, "link=x")), isVoid);
    assertEquals(await use(url), saved);
  });
});

describe("An administrator", () => {
  it.withLinks("lists the open links, without their secrets", async ({ ctx, kit, link }) => {
    await link("eve", "invite");
    await link();
    const until = kit.clock.now + 24 * 60 * 60 * 1000;
    assertEquals(await listPasswordLinks(ctx), [
      { userName: "dora", kind: "reset", until },
      { userName: "eve", kind: "invite", until },
    ]);
    await revokePasswordLink(ctx, "eve");
    kit.clock.advance(24 * 60 * 60);
    assertEquals(await listPasswordLinks(ctx), []);
  });

  it.withLinks("lists them without reading all users, a day after the first link of this version", async ({ ctx, kit, link, store }) => {
    const read = { users: 0 };
    const { list } = store;
    store.list = async (kind, options) => {
      if (kind === "user") read.users += 1;
      return await list(kind, options);
    };
    const names = async () => (await listPasswordLinks(ctx)).map(({ userName }) => userName);
    await link();
    await store.delete("password-link", "dora");
    assertEquals([await names(), read.users], [["dora"], 1]);
    kit.clock.advance(24 * 60 * 60);
    await link("eve", "invite");
    await link();
    await revokePasswordLink(ctx, "dora");
    assertEquals([await names(), read.users], [["eve"], 1]);
  });

  it.withLinks("ends when the user gets another address, at which an earlier holder may read it", async (links) => {
    const { ctx, link, use } = links;
    for (const claim of ["email", "phone_number"]) {
      const url = await link();
      await setClaims(ctx, "dora", (before) => ({ ...before, name: claim }));
      assertEquals((await listPasswordLinks(ctx)).length, 1);
      await setClaims(ctx, "dora", (before) => ({ ...before, [claim]: "+15550100" }));
      assertEquals(await use(url), isVoid);
    }
  });

  it.withLinks("gets no link where none would work", async ({ ctx, link }) => {
    const refused = async (name: string, kind: "invite" | "reset", message: string) =>
      void await assertRejects(() => link(name, kind), AdminError, message);
    await refused("dora", "invite", "has a password already");
    await refused("alice", "reset", "is in the configuration");
    await refused("nobody", "reset", "There is no user");
    await users.disable(ctx, "dora");
    await refused("dora", "reset", "is disabled");
    await assertRejects(() => revokePasswordLink(ctx, "dora"), AdminError, "has no open link");
    const { passwordLink } = present(await findUser(ctx, "eve"));
    assertEquals(passwordLink, undefined);
  });

  it("gets no link where users sign in without passwords", async () => {
    const policies = { authenticate: () => Promise.resolve(undefined) };
    const { context } = openStrictKit({ policies }).server;
    await users.add(context, { name: "dora" });
    await assertRejects(() => createPasswordLink(context, "dora", "invite"), AdminError, "policy");
  });
});

describe("Guesses at links", () => {
  it.withLinks("are limited, and the right link works again a minute later", async (links) => {
    const { kit, link, use } = links;
    const url = await link();
    const open = async (cookie: string) => {
      const request = new Request(`${kit.issuer}/reset`, { headers: { Cookie: cookie } });
      return (await kit.server.fetch(withAddress(request, "192.0.2.1"))).status;
    };
    const cookie = ({ headers }: Response) =>
      /^[^;]+/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";
    const wrong = cookie(await kit.browser().request(`${url}x`));
    const statuses: number[] = [];
    while (statuses.length < 120 && statuses.at(-1) !== 429) statuses.push(await open(wrong));
    assertEquals(statuses.at(-1), 429);
    kit.clock.advance(60);
    assertEquals(await use(url), saved);
  });

  it.withLinks("from many networks do not keep the user from the right link", async (links) => {
    const { kit, link, use } = links;
    const url = await link();
    const { headers } = await kit.browser().request(`${url}x`);
    const wrong = /^[^;]+/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";
    for (let n = 0; n < 30; n++) {
      const request = new Request(`${kit.issuer}/reset`, { headers: { Cookie: wrong } });
      await kit.server.fetch(withAddress(request, `192.0.2.${n}`));
    }
    assertEquals(await use(url), saved);
  });
});
