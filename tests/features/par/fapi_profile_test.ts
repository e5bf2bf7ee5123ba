import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { readDirectory } from "../../../src/program/operate/directory.ts";
import { type Config, createFullServer } from "../../../src/server/features.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { openStrictKit } from "../../support/kit.ts";
import { hasFeature } from "../../support/where_feature.ts";

const issuer = "https://id.example";
const redirectUris = ["https://app.example/cb"];
const jwks = {
  keys: [{
    kty: "EC",
    crv: "P-256",
    x: "ncH4oVjWk0SD21DUATMYSVWMzTSGiEbIkhMQ6v_TaGc",
    y: "n7cmMHGwEPrSNB2hUcwCIuVY7E0gFaeWP2p1bMnuC2w",
  }],
};
const weak = { id: "weak", secret: "weak-secret-of-22-chars", redirectUris };
const strong = {
  id: "strong",
  redirectUris,
  authentication: ["private_key_jwt" as const],
  jwksUri: "https://app.example/jwks",
};
const fitting = { id: "bank", jwks, redirectUris };

const under = (section: string) =>
  `under the profile fapi-2.0 (FAPI 2.0 Security Profile, section ${section})`;
const authentication = `authentication must be private_key_jwt or a method with a certificate ${
  under("5.3.2.1")
}`;
const algs = "PS256, ES256, EdDSA";

describe("The profile fapi-2.0 (FAPI 2.0 Security Profile)", () => {
  it("never signs with RS256: the server's alg signs ID tokens", () => {
    for (const alg of ["ES256", "PS256"] as const) {
      const { idTokenAlg, idTokenAlgs } =
        createFullServer({ issuer, profile: "fapi-2.0", alg }).context
          .settings;
      assertEquals([idTokenAlg, idTokenAlgs()], [alg, [alg]]);
    }
  });

  it("fills in what it requires", () => {
    const { settings } =
      createFullServer({ issuer, profile: "fapi-2.0", clients: [fitting] }).context;
    const { requirePar, refreshTokens, lifetimes, alg, idTokenAlgs, dpopAlgs } = settings;
    assertEquals([requirePar, refreshTokens, lifetimes.code, alg], [true, "keep", 60, "ES256"]);
    assertEquals([idTokenAlgs(), dpopAlgs.includes("RS256")], [["ES256"], false]);
  });

  it("makes a client from its keys: private_key_jwt, bound tokens, pushed requests", async () => {
    const { settings } =
      createFullServer({ issuer, profile: "fapi-2.0", clients: [fitting] }).context;
    const { authentication, dpop, requirePar, pkce } = await settings.clients.get("bank")!();
    assertEquals([authentication, dpop, requirePar, pkce], [
      ["private_key_jwt"],
      "required",
      true,
      "required",
    ]);
  });

  it("advertises neither RS256 nor another way to authenticate", () => {
    const metadata = createFullServer({ issuer, profile: "fapi-2.0", clients: [fitting] })
      .context.metadata();
    assertEquals(JSON.stringify(metadata).includes("RS256"), false);
    assertEquals(metadata.token_endpoint_auth_methods_supported, ["private_key_jwt"]);
  });

  const good: Array<[what: string, changes: Partial<Config>]> = [
    ["another one of its algorithms", { alg: "PS256" }],
    ["shorter lifetimes of codes", { lifetimes: { code: "30s" } }],
    ["a native client with a key", {
      clients: [{ ...fitting, native: true, redirectUris: ["http://127.0.0.1/cb"] }],
    }],
  ];
  for (const [what, changes] of good) {
    it(`accepts ${what}`, () => {
      assertEquals(problemsOf({ issuer, profile: "fapi-2.0", ...changes }), []);
    });
  }

  const bad: Array<[changes: Partial<Config>, problems: string[]]> = [
    [{ requirePar: false }, [`requirePar must be true ${under("5.3.2.2")}`]],
    [{ lifetimes: { code: "61s" } }, [
      `lifetimes.code must be at most 60 seconds ${under("5.3.2.1")}`,
    ]],
    [{ refreshTokens: "rotate" }, [`refreshTokens must be 'keep' ${under("5.3.2.1")}`]],
    [{ alg: "RS256" }, [`alg must be one of ${algs} ${under("5.4.1")}`]],
    [{ idTokenAlgs: ["RS256"] }, [`idTokenAlgs must be among ${algs} ${under("5.4.1")}`]],
    [{ dpopAlgs: ["RS256"] }, [`dpopAlgs must be among ${algs}, Ed25519 ${under("5.4.1")}`]],
    [{ issuer: "http://id.example", insecure: { httpIssuer: true } }, [
      `issuer must use https ${under("5.2.1")}`,
    ]],
    [{ clients: [{ ...fitting, authentication: ["none"] }] }, [
      `clients[0].${authentication}`,
    ]],
    [{ clients: [{ ...fitting, secret: "s" }] }, [
      `clients[0].secret must be left out ${under("5.3.2.1")}`,
    ]],
    [{ clients: [{ ...fitting, dpop: "optional" }] }, [
      `clients[0].dpop must be 'required' unless certificateBoundTokens is true ${
        under("5.3.2.1")
      }`,
    ]],
    [{ clients: [{ ...fitting, requirePar: false }] }, [
      "clients[0].requirePar is false, but the server requires it of every client",
    ]],
    [{ clients: [{ ...fitting, pkce: "optional" }] }, [
      `clients[0].pkce must be 'required' ${under("5.3.2.2")}`,
    ]],
    [{ clients: [{ ...fitting, assertionAudience: "token-endpoint" }] }, [
      `clients[0].assertionAudience must be 'issuer' ${under("5.3.2.1")}`,
    ]],
    [{ clients: [{ ...fitting, redirectUris: ["http://127.0.0.1/cb"] }] }, [
      `clients[0].redirectUris must use https, or http on loopback if the client is native, ${
        under("5.3.2.2")
      }`,
    ]],
    [{ clients: [{ ...fitting, idTokenAlg: "RS256" }] }, [
      `clients[0].idTokenAlg must be one of ${algs} ${under("5.4.1")}`,
    ]],
    [{ clients: [{ ...fitting, authenticationAlg: "RS256" }] }, [
      "clients[0].authenticationAlg must be one of: PS256, ES256, EdDSA, Ed25519",
    ]],
    [{
      requirePar: false,
      alg: "RS256",
      clients: [fitting, { id: "spa", redirectUris, authentication: ["none"] }],
    }, [
      `requirePar must be true ${under("5.3.2.2")}`,
      `alg must be one of ${algs} ${under("5.4.1")}`,
      `clients[1].${authentication}`,
    ]],
  ];
  if (hasFeature("registration")) {
    const lenient = { pkce: "optional", assertionAudience: "token-endpoint" } as const;
    bad.push([{ registration: { initialAccessToken: "x".repeat(32), ...lenient } }, [
      `registration.pkce must be 'required' ${under("5.3.2.2")}`,
      `registration.assertionAudience must be 'issuer' ${under("5.3.2.1")}`,
    ]]);
  }
  for (const [changes, problems] of bad) {
    it(`reports what contradicts it: ${problems.join("; ")}`, () => {
      assertEquals(problemsOf({ issuer, profile: "fapi-2.0", ...changes }), problems);
    });
  }

  it("applies to clients that are added later", async () => {
    const { context } = createFullServer({ issuer, profile: "fapi-2.0" });
    const problems = await addClient(context, { id: "spa", redirectUris, authentication: ["none"] })
      .catch((cause) => cause.problems);
    assertEquals(problems, [authentication]);
  });

  it("applies to clients in the store, which hallpass check names", async () => {
    const store = memoryStore();
    await addClient(createFullServer({ issuer, store }).context, { id: "spa", redirectUris });
    const { context } = createFullServer({ issuer, store, profile: "fapi-2.0" });
    assertEquals(await findClient(context, "spa"), undefined);
    const { problems } = await readDirectory(context);
    assertEquals(
      problems[0],
      `client 'spa' in the store: ${authentication}`,
    );
  });
});

describe("A profile that is newer than the clients in the store", () => {
  it("Y8: refuses those that break its rules when they are used, and no others", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    const strict = openStrictKit({ store, profile: "fapi-2.0" }).server.context;
    await addClient(context, weak);
    await addClient(strict, strong);
    const known = (ctx: typeof context) =>
      Promise.all(["weak", "strong"].map(async (id) => (await findClient(ctx, id))?.id));
    assertEquals(await known(context), ["weak", "strong"]);
    assertEquals(await known(strict), [undefined, "strong"]);
  });
});
