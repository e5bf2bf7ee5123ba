import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { itWith } from "../../support/it_with.ts";
import { authorizationUrlIn, flowCode, redeemIn } from "../../support/lab_flow.ts";

const issuer = "http://localhost:9000";
const named = (id: string) => ({ id, redirectUris: ["https://app.example/callback"] });
const it = itWith({
  inLab: () => openLab({ issuer }),
  inSmallLab: () => openLab({ issuer, clients: ["one", "two", "three"].map(named) }),
});

const idsIn = (lab: Lab) => lab.clients.list().map(({ id }) => id);
const metadataOf = async (lab: Lab) =>
  await (await lab.fetch(new Request(`${issuer}/.well-known/openid-configuration`))).json();

describe("A change of one user or client", () => {
  it.inLab("leaves the server as it is", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const { context } = lab;
    lab.clients.put({ ...lab.clients.get("demo-web"), name: "Another" });
    lab.users.put({ name: "dora", claims: { email: "dora@example.com" } });
    lab.clients.remove("demo-cli");
    lab.users.remove("bob");
    assert(lab.context === context);
    lab.configure({ lifetimes: { code: "5s" } });
    assert(lab.context !== context);
    assertEquals(lab.users.list().map(({ name }) => name), ["alice", "carol", "dora"]);
    assertEquals(idsIn(lab).includes("demo-cli"), false);
  });

  it.inSmallLab("keeps the order: the first client is the default", (lab) => {
    lab.clients.put({ ...named("one"), name: "First" });
    lab.clients.put(named("four"));
    lab.clients.remove("two");
    lab.clients.put(named("two"));
    assertEquals(idsIn(lab), ["one", "three", "four", "two"]);
  });

  it.inSmallLab("applies to the next request: the client, its secret, and that it is gone", async (lab) => {
    const secret = "a-secret-of-at-least-32-characters";
    const grantTypes = ["client_credentials"];
    const statusOf = async () => {
      const body = new URLSearchParams({
        ...{ grant_type: "client_credentials", client_id: "two", client_secret: secret },
      });
      return (await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body })))
        .status;
    };
    assertEquals(await statusOf(), 401);
    lab.clients.put({ id: "two", secret, grantTypes });
    assertEquals([await statusOf(), lab.clients.get("two").secret], [200, secret]);
    lab.clients.put({ id: "two", secret: "another-secret-of-32-characters!", grantTypes });
    assertEquals(await statusOf(), 401);
    lab.clients.remove("two");
    assertEquals(await statusOf(), 401);
  });

  it.inLab("is followed by the metadata, and by the buttons of the sign-in page", async (lab) => {
    const before = await metadataOf(lab);
    const secret = "a-secret-of-at-least-32-characters";
    lab.clients.put(
      { ...named("hmac"), secret, idTokenAlg: "HS256", claims: ["plan"] } as ClientConfig,
    );
    const changed = await metadataOf(lab);
    assertEquals(changed.id_token_signing_alg_values_supported.at(-1), "HS256");
    assertEquals(changed.claims_supported.includes("plan"), true);
    lab.clients.remove("hmac");
    assertEquals(await metadataOf(lab), before);
    lab.users.put({ name: "dora" });
    const { headers } = await lab.fetch(new Request(authorizationUrlIn(lab)));
    const cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const page = await lab.fetch(
      new Request(issuer + headers.get("Location"), { headers: { cookie } }),
    );
    assertMatch(await page.text(), /value="dora"/);
  });

  const wrong: Array<[what: string, change: (lab: Lab) => void, message: RegExp]> = [
    [
      "a wrong type",
      (lab) => lab.clients.put({ ...named("one"), name: 1 } as never),
      /^[^;]*name[^;]*$/,
    ],
    [
      "an unknown scope",
      (lab) => lab.clients.put({ ...named("one"), scopes: ["none"] }),
      /^Cannot set the client 'one': scopes contains 'none'[^;]*\.$/,
    ],
    [
      "the name of a user",
      (lab) => lab.clients.put(named("alice")),
      /^Cannot set the client 'alice': clients contains 'alice', which is also the 'sub' of a user/,
    ],
    [
      "the 'sub' of another user",
      (lab) => lab.users.put({ name: "dora", sub: "alice" }),
      /^Cannot set the user 'dora': [^;]*'alice'[^;]*\.$/,
    ],
    [
      "a string in place of the client",
      (lab) => lab.clients.put("one" as never),
      /^Cannot set the client 'one': must be an object\.$/,
    ],
    [
      "null in place of the user",
      (lab) => lab.users.put(null as never),
      /^Cannot set the user 'null': must be an object\.$/,
    ],
    ["the removal of an unknown one", (lab) => lab.users.remove("who"), /There is no user 'who'/],
  ];
  for (const [what, change, message] of wrong) {
    it.inLab(`K11: with ${what} is refused for this alone, and changes nothing`, (lab) => {
      const before = [lab.clients.list(), lab.users.list()];
      const error = assertThrows(() => change(lab), LabError);
      assertMatch(error.message, message);
      assertEquals([lab.clients.list(), lab.users.list()], before);
    });
  }

  it.inLab("is undone by a reset, and by a snapshot", async (lab) => {
    const [clients, restore] = [lab.clients.list(), await lab.capture()];
    lab.clients.remove("demo-spa");
    await restore();
    assertEquals(lab.clients.list(), clients);
    lab.clients.put(named("new"));
    await lab.reset();
    assertEquals(lab.clients.list(), clients);
    assertEquals((await redeemIn(lab, await flowCode(lab))).token_type, "Bearer");
  });
});
