import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { demoUsers } from "../src/lab/demo/demo_users.ts";
import { publicPasswords } from "../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../src/lab/tokens/test_keys.ts";
import { settingsPart } from "../src/server/config/feature_config.ts";
import { toClient } from "../src/server/config/make_client.ts";
import { trustedOffer } from "../src/server/config/settings.ts";
import { apiRoute } from "../src/server/endpoints/route.ts";
import type { Feature } from "../src/server/feature.ts";
import { coreGrants } from "../src/server/feature_parts.ts";
import { type Config, features } from "../src/server/features.ts";
import { jsonResponse } from "../src/server/http/response.ts";
import type { DocumentClients } from "../src/server/issuer/active_features.ts";
import { findClient } from "../src/server/issuer/clients/clients.ts";
import type { Session } from "../src/server/issuer/records/rows.ts";
import { hasSessionEnded, markSessionEnded } from "../src/server/issuer/sessions/sessions.ts";
import { ConfigError } from "../src/server/mod.ts";
import { createInternalServer } from "../src/server/server.ts";
import { claimsOf, createKit, kitParts } from "./support/flow_kit.ts";

const redirectUri = "https://app.example/cb";
const clients = [{ id: "demo-spa", redirectUris: [redirectUri] }];
const policies = { passwords: publicPasswords, makeKey: makeTestKey };

/** Opens a server without any feature, or with those that are named. */
function openCoreKit(config: Partial<Config> = {}, names: readonly string[] = []) {
  const parts = kitParts();
  const server = createInternalServer(
    { ...parts.config, users: demoUsers, clients, policies, ...config },
    features.filter(({ name }) => names.includes(name)),
  );
  return createKit(server, parts, redirectUri);
}

/** Puts settings of a group into a configuration, and returns where they are. */
function placed(group: string, members: Record<string, unknown>) {
  if (group === "server") return { given: members, path: "" };
  if (group !== "clients") return { given: { [group]: members }, path: `${group}.` };
  return { given: { clients: [{ id: "app", ...members }] }, path: "clients[0]." };
}

describe("The core of the server, without any feature", () => {
  it("signs a user in, redeems the code and refreshes the tokens", async () => {
    const kit = openCoreKit();
    const tokens = await kit.tokens({ scope: "openid profile offline_access" });
    const refreshed = await kit.refresh(tokens.refresh_token);
    assertEquals(refreshed.status, 200);
    assertEquals(claimsOf(refreshed.body.id_token).sub, claimsOf(tokens.id_token).sub);
    const { body } = await kit.userinfo(refreshed.body.access_token);
    assertEquals(body.sub, claimsOf(tokens.id_token).sub);
  });

  it("names no endpoint in its metadata that it does not have", async () => {
    const kit = openCoreKit();
    const metadata = await (await kit.get("/.well-known/openid-configuration")).json();
    assert(metadata.jwks_uri);
    assertEquals(metadata.revocation_endpoint, undefined);
    assertEquals(metadata.revocation_endpoint_auth_methods_supported, undefined);
  });

  for (const { name: feature, config = {}, grants = [], fixedRoutes = [] } of features) {
    const settings = Object.entries(config).flatMap(([group, { schema, defaults }]) =>
      Object.keys(schema.members).map((member) => ({
        group,
        member,
        value: defaults[member] ?? "",
      }))
    );
    for (const { group, member, value } of settings) {
      it(`refuses ${group}.${member} of the feature '${feature}' by its name`, () => {
        const { given, path } = placed(group, { [member]: value });
        assertThrows(() => openCoreKit(given), ConfigError, `${path}${member} is not a setting`);
      });
    }

    it(`adds no default to clients that asks for something: ${feature}`, () => {
      const idle = Object.values(config.clients?.defaults ?? {}).map((value) => [value].flat());
      assertEquals(idle.filter(([value]) => value !== undefined && value !== false), []);
    });

    for (const { type } of grants) {
      it(`refuses the grant '${type}'`, () => {
        assertThrows(() => openCoreKit({ grantTypes: [type] }), ConfigError, "known grant types");
      });
    }

    it(`has no endpoint of the feature '${feature}'`, async () => {
      const configured = Object.values(config.paths?.defaults ?? {});
      for (const path of [...configured, ...fixedRoutes.map((route) => route.path)]) {
        assertEquals((await openCoreKit().post(`${path}`, {})).status, 404, `${path}`);
        assertEquals((await openCoreKit().get(`${path}`)).status, 404, `${path}`);
      }
    });
  }
});

const presented = [{ parameter: "x_code", lookUp: () => Promise.resolve(undefined) }];

describe("A feature of the server", () => {
  for (const { name, needs = [] } of features) {
    it(`works with those alone that it needs: ${name}`, async () => {
      const kit = openCoreKit({}, [name, ...needs.map((each) => each.name)]);
      assertEquals((await kit.get("/.well-known/openid-configuration")).status, 200);
    });
  }

  it("cannot be without those that it needs", () => {
    const needy = features.filter(({ needs = [] }) => needs.length > 0).map(({ name }) => name);
    for (const name of needy) assertThrows(() => openCoreKit({}, [name]), Error, "needs '");
  });

  const clashes: Record<string, Feature> = {
    "a grant of the core": { name: "x", grants: coreGrants },
    "a route of the core": {
      name: "x",
      routes: ({ paths }) => [apiRoute("POST", paths.token, () => jsonResponse({}))],
    },
    "a member of the metadata": { name: "x", metadata: () => ({ issuer: "https://evil.example" }) },
    "a parameter that another one issues": { name: "x", presented: [...presented, ...presented] },
  };
  for (const [what, feature] of Object.entries(clashes)) {
    it(`may not define ${what} again`, () => {
      const open = () => createInternalServer({ issuer: "https://id.example" }, [feature]);
      assertThrows(() => open().context.metadata(), Error, "is defined twice");
    });
  }

  it("finds no client of another source, and none that describes itself without its offer", async () => {
    const document = { readAt: 0, freshUntil: 0 };
    const findX = async (owned: boolean) => {
      const documentClients: Pick<DocumentClients, "offerTo" | "find"> = {
        offerTo: (ctx) => ({
          ...trustedOffer(ctx.settings),
          level: "untrusted",
          scopes: ["openid"],
        }),
        find: async (ctx, id) => ({
          ...await toClient({ id }, trustedOffer(ctx.settings)),
          ...owned && { document },
        }),
      };
      const features = [{ name: "x", documentClients: documentClients as DocumentClients }];
      const { context } = createInternalServer({ issuer: "https://id.example" }, features);
      const found = await findClient(context, "x");
      return found && [found.trusted, found.scopes];
    };
    assertEquals([await findX(true), await findX(false)], [[false, ["openid"]], undefined]);
  });

  it("is refused at the start if it throws, and never at a request", () => {
    const broken: Feature = {
      name: "x",
      routes() {
        throw new Error("This feature has no routes.");
      },
    };
    const open = () => createInternalServer({ issuer: "https://id.example" }, [broken]);
    assertThrows(open, Error, "This feature has no routes.");
  });

  it("keeps a server from being ready if its part of the metadata cannot be added", async () => {
    const twice: Feature = { name: "x", metadata: () => ({ jwks_uri: "https://evil.example" }) };
    const { ready } = createInternalServer({ issuer: "https://id.example" }, [twice]);
    await assertRejects(ready, Error, "The metadata member 'jwks_uri' is defined twice.");
  });

  it("may not have a setting that another one has", () => {
    const schema = { type: "object", members: { x: { type: "string" } } };
    const one: Feature = { name: "x", config: { paths: settingsPart(schema) } };
    const open = () => createInternalServer({ issuer: "https://id.example" }, [one, one]);
    assertThrows(open, Error, "The setting 'paths.x' is defined twice.");
  });

  for (const name of ["trusted", "registration", "epoch"]) {
    it(`may not have a client setting that is another member of a client: ${name}`, () => {
      const schema = { type: "object", members: { [name]: { type: "boolean" } } };
      const feature: Feature = { name: "x", config: { clients: settingsPart(schema) } };
      const open = () => createInternalServer({ issuer: "https://id.example" }, [feature]);
      assertThrows(open, Error, `The setting 'clients.${name}' is defined twice.`);
    });
  }

  it("ends sessions even if it throws while it notifies of that, after others were called", async () => {
    const called: string[] = [];
    const ofSession = (name: string): Feature => ({
      name,
      sessionEnds: [{
        clientSetting: "id",
        notify() {
          called.push(name);
          return Promise.reject(new Error(`${name} notifies of nothing.`));
        },
      }],
    });
    const { context } = createInternalServer({ issuer: "https://id.example" }, [
      ofSession("x"),
      ofSession("y"),
    ]);
    const session = { sid: "s", subject: "alice" } as Session;
    await assertRejects(() => markSessionEnded(context, session), Error, "x notifies of nothing");
    assertEquals(await hasSessionEnded(context, session), true);
    assertEquals(called, ["x", "y"]);
  });

  const schema = { type: "object", members: { x: { type: "string" } } };
  const keep = () => ({ x: "a", issuer: "https://evil.example" });
  const keeping: Record<string, Feature> = {
    "of the server": { name: "x", config: { server: { ...settingsPart(schema), sets: keep } } },
    "of clients": { name: "x", config: { clients: { ...settingsPart(schema), keep } } },
  };
  for (const [what, feature] of Object.entries(keeping)) {
    it(`keeps no setting ${what} in another form that is not among its own`, async () => {
      const open = async () => {
        const clients = [{ id: "app", redirectUris: [redirectUri] }];
        const config = { issuer: "https://id.example", clients };
        const { context } = createInternalServer(config, [feature]);
        await findClient(context, "app");
      };
      await assertRejects(open, Error, "keeps 'issuer', which is not one of its settings");
    });
  }

  it("finds its settings only in the group that has them", () => {
    const part = settingsPart({ ...schema, defaults: { x: "a" } });
    assertEquals(part.of({ x: "b", y: "c" }), { x: "b", y: "c" });
    assertThrows(() => part.of({ y: "c" }), Error, "These settings have no 'x'.");
  });

  it("may have an endpoint whose member of the metadata the core does not know", async () => {
    const feature: Feature = {
      name: "x",
      routes: () => [apiRoute("GET", "/x", () => jsonResponse({}), { metadata: "x_endpoint" })],
    };
    const { fetch } = createInternalServer({ issuer: "https://id.example" }, [feature]);
    const url = "https://id.example/.well-known/oauth-authorization-server";
    const metadata = await (await fetch(new Request(url))).json();
    assertEquals(metadata.x_endpoint, "https://id.example/x");
  });

  it("may not read rows of a kind that the core has", () => {
    const { context } = createInternalServer({ issuer: "https://id.example" }, []);
    assertThrows(() => context.records.open.secret("code"), Error, "rows of the kind 'code'");
  });
});
