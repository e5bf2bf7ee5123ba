import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { setClaims } from "../../src/administration/user_claims.ts";
import { add as addUser } from "../../src/administration/users.ts";
import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import type { Claims } from "../../src/server/model/claims.ts";
import { mayUse } from "../../src/server/model/user.ts";
import { fixturesOf } from "../features.ts";
import { textOf } from "../support/browser.ts";
import { answerDevice, beginDevice, pollDevice } from "../support/device.ts";
import { itWith } from "../support/it_with.ts";
import {
  isActive,
  type Kit,
  openKit,
  openStrictKit,
  seesTokens,
  service,
  spa,
} from "../support/kit.ts";
import { needs } from "../support/where_feature.ts";

/** Gets a token for alice by each grant, as the application of a lab that has it. */
const grants: Readonly<Record<string, (kit: Kit) => Promise<unknown>>> = {
  authorization_code: (kit) => kit.tokens(),
  async refresh_token(kit) {
    const { refresh_token } = await kit.tokens();
    return await kit.refresh(refresh_token);
  },
  client_credentials: (kit) => kit.token({ grant_type: "client_credentials" }, service),
  ...fixturesOf("grants"),
};

/** The grants in which a client acts for itself. */
const withoutUser: readonly string[] = ["client_credentials"];

const demoClients = () => openKit().server.context.settings.clients.list();

/** Opens a lab in which one client is for a group alone. */
function openRestricted(id: string, groups: string[]): Kit {
  const clients = demoClients().map((client) => client.id === id ? { ...client, groups } : client);
  return openKit({ clients: clients as ClientConfig[] });
}

/** Returns the grants by which a client got tokens for a user. */
async function grantsUsed(kit: Kit, id: string, run: (kit: Kit) => Promise<unknown>) {
  await run(kit).catch(() => {});
  return kit.events.flatMap((event) =>
    event.type === "token.issued" && event.client === id && event.authorization !== undefined
      ? [event.grantType]
      : []
  );
}

const it = itWith({ inServer: openWithClient });
const members: Claims = { groups: ["staff", "wiki"] };

/** A server as `hallpass serve` runs it, whose client is for a group, with one member of it. */
async function openWithClient() {
  const kit = openStrictKit({
    clients: [
      spa({ name: "Wiki", groups: ["wiki", "admins"] }),
      {
        id: "demo-service",
        secret: "demo-service-secret",
        grantTypes: ["client_credentials"],
        ...seesTokens,
      },
    ],
    users: demoUsers.map((user) => ({ ...user, claims: { groups: ["staff"] } })),
    scopes: { openid: "Know who you are", read: "Read" },
  });
  await addUser(kit.server.context, { name: "member", password: "member", claims: members });
  const leave = () => setClaims(kit.server.context, "member", () => ({ groups: ["staff"] }));
  const join = () => setClaims(kit.server.context, "member", () => members);
  const refused = () => kit.events.filter(({ type }) => type === "user.refused");
  return { kit, leave, join, refused };
}

describe("A client for groups of users", () => {
  const cases: Array<[groups: string[] | undefined, own: unknown, may: boolean]> = [
    [undefined, undefined, true],
    [[], ["a"], false],
    [["a", "b"], ["b"], true],
    [["a"], ["b", "A"], false],
    [["a"], undefined, false],
    [["a"], "a", true],
    [["a"], { a: true }, false],
  ];
  for (const [groups, own, may] of cases) {
    const title = `${JSON.stringify(groups)} may${may ? "" : " not"} be used by ${
      JSON.stringify(own)
    }`;
    it(title, () => {
      assertEquals(mayUse({ claims: own === undefined ? {} : { groups: own } }, { groups }), may);
    });
  }

  it("has a row here for each grant of the server", () => {
    assertEquals(
      Object.keys(grants).toSorted(),
      openKit().server.context.settings.grantTypes.toSorted(),
    );
  });

  for (const [type, run] of Object.entries(grants)) {
    it(`gives no token to those who are in none of them: ${type}`, async () => {
      const ids = demoClients().map(({ id }) => id);
      const open: string[] = [];
      for (const id of ids) {
        const used = await grantsUsed(openRestricted(id, ["staff"]), id, run);
        if (used.includes(type)) open.push(id);
        assertEquals(await grantsUsed(openRestricted(id, ["nobody"]), id, run), [], id);
      }
      assertEquals(open.length > 0, !withoutUser.includes(type), `${open}`);
    });
  }

  it.inServer("shows a page to others, with a way to let the application know", async ({ kit, refused }) => {
    const browser = kit.browser();
    const page = await browser.signIn(
      await browser.open(kit.authorizationUrl({ scope: "openid" })),
    );
    assertEquals(page.status, 403);
    assertStringIncludes(
      textOf(page.html),
      "You may not use this application Wiki alice Ask those who run this server to give you access.",
    );
    const [, href = ""] = /id="onward" href="([^"]+)"/.exec(page.html) ?? [];
    assertEquals(new URL(href.replaceAll("&amp;", "&")).searchParams.get("error"), "access_denied");
    assertEquals(refused(), [{ type: "user.refused", user: "alice", client: "demo-spa" }]);
  });

  it.inServer("sends the error at once with prompt=none, before it asks for anything", async ({ kit }) => {
    const browser = kit.browser();
    await browser.signIn(await browser.open(kit.authorizationUrl({ scope: "openid" })));
    const response = await browser.request(
      kit.authorizationUrl({ scope: "openid", prompt: "none" }),
    );
    const { searchParams } = new URL(response.headers.get("Location") ?? "");
    assertEquals(searchParams.get("error"), "access_denied");
  });

  it.inServer("lets another user sign in instead", async ({ kit }) => {
    const browser = kit.browser();
    await browser.signIn(await browser.open(kit.authorizationUrl({ scope: "openid" })));
    const actions = { user: "member" };
    const { code } = Object.fromEntries(await kit.authorize({ prompt: "login" }, actions, browser));
    assert(code);
  });

  it.inServer("ends what a member has who leaves, and gives it back to one who returns", async ({ kit, leave, join }) => {
    const tokens = await kit.tokens({ scope: "openid read" }, { user: "member" });
    const code = await kit.code({ scope: "openid read" }, { user: "member" });
    const { access_token, refresh_token } = tokens;
    await leave();
    assertEquals((await kit.userinfo(access_token)).status, 401);
    assertEquals(await isActive(kit, access_token), false);
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    await join();
    assertEquals((await kit.userinfo(access_token)).status, 200);
    assertEquals((await kit.refresh(refresh_token)).status, 200);
  });
});

describe("A client for groups of users, on a device", () => {
  it("denies what the device polls for", needs("device flow"), async () => {
    const kit = openRestricted("demo-cli", ["nobody"]);
    const { body } = await beginDevice(kit);
    const page = await answerDevice(kit, body.user_code).catch((cause) => String(cause));
    assertMatch(typeof page === "string" ? page : page.html, /consent/);
    kit.clock.advance(10);
    assertEquals((await pollDevice(kit, body.device_code)).body.error, "access_denied");
  });
});
