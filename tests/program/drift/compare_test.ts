import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { providerNames } from "../../../src/lab/lab_server/provider_names.ts";
import { compareKeySets } from "../../../src/program/drift/compare_key_sets.ts";
import { compareMetadata } from "../../../src/program/drift/compare_metadata.ts";
import { playProvider } from "../../../src/program/drift/compared_provider.ts";
import { findDrift } from "../../../src/program/drift/find_drift.ts";
import { readStoredMetadata } from "../../../src/program/metadata/metadata_source.ts";
import { readPublishedMetadata } from "../../support/published_metadata.ts";

/** What a lab publishes beyond the stored copy of its provider, by the name of the copy. */
const knownDifferences: Readonly<Record<string, string[]>> = {
  // Google began to send it after the day of the copy.
  google: ["authorization_response_iss_parameter_supported"],
  // Tenants that were made after the day of the copy publish it.
  auth0: ["end_session_endpoint"],
};

const copies = readdirSync("tests/lab/providers/metadata").map((file) => file.replace(".json", ""));

describe("A preset and the stored copy of its provider's metadata", () => {
  for (const copy of copies) {
    it(`are the same, member by member, and so are the hosts: ${copy}`, async () => {
      const name = providerNames.find((each) => copy === each || copy.startsWith(`${each}_`));
      assert(name, `There is no preset for ${copy}`);
      const real = readStoredMetadata(readPublishedMetadata(copy), copy, "2026-11-22");
      const played = await playProvider(name, real);
      const { differences, compared } = findDrift(played, real, undefined);
      assertEquals(differences.map(({ member }) => member), knownDifferences[copy] ?? []);
      assert(compared.length >= 3);
    });
  }

  it("have a difference if any member of the copy changes", async () => {
    const real = readStoredMetadata(readPublishedMetadata("slack"), "slack", "2026-11-22");
    const played = await playProvider("slack", real);
    for (const [member, value] of Object.entries(real.document)) {
      const changed = Array.isArray(value) ? value.slice(1) : `${value}/other`;
      const document = { ...real.document, [member]: changed };
      const { differences } = findDrift(played, { ...real, document }, undefined);
      assertEquals(differences.map((each) => each.member), [member]);
    }
  });
});

describe("compareMetadata", () => {
  type Values = Record<string, unknown>;
  const cases: Array<[what: string, preset: Values, real: Values, found: unknown[]]> = [
    ["nothing if both are the same", { a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] }, []],
    ["no host", { token_endpoint: "https://lab/t" }, { token_endpoint: "https://acme/t" }, []],
    [
      "a path",
      { token_endpoint: "https://lab/t" },
      { token_endpoint: "https://acme/token" },
      [{ area: "endpoints", member: "token_endpoint", preset: "/t", real: "/token" }],
    ],
    [
      "a member that only one has",
      { claims_supported: ["sub"] },
      { acr_values_supported: ["a"] },
      [
        { area: "claims", member: "claims_supported", preset: ["sub"] },
        { area: "other", member: "acr_values_supported", real: ["a"] },
      ],
    ],
    [
      "entries of a list",
      { scopes_supported: ["openid", "old"] },
      { scopes_supported: ["new", "openid"] },
      [{ area: "scopes", member: "scopes_supported", onlyPreset: ["old"], onlyReal: ["new"] }],
    ],
    [
      "another order, as such",
      { id_token_signing_alg_values_supported: ["RS256", "ES256"] },
      { id_token_signing_alg_values_supported: ["ES256", "RS256"] },
      [{ area: "algorithms", member: "id_token_signing_alg_values_supported", isOrder: true }],
    ],
    ["null in place of nothing", {}, { a: null }, [{ area: "other", member: "a", real: null }]],
    ["another type", { a: "true" }, { a: true }, [
      { area: "other", member: "a", preset: "true", real: true },
    ]],
  ];
  for (const [what, preset, real, found] of cases) {
    it(`finds ${what}`, () => {
      assertEquals<unknown>(compareMetadata({ preset, real, hosts: "ignore" }), found);
    });
  }

  it("finds another host if the lab has those of the provider", () => {
    const [preset, real] = [{ jwks_uri: "https://a.example/k" }, {
      jwks_uri: "https://b.example/k",
    }];
    assertEquals(compareMetadata({ preset, real, hosts: "compare" }).length, 1);
  });
});

describe("compareKeySets", () => {
  const rsa = { kty: "RSA", alg: "RS256", use: "sig", kid: "1", n: "a", e: "AQAB" };
  const ec = { kty: "EC", crv: "P-256", kid: "2", x: "a", y: "b" };
  const cases: Array<[what: string, real: unknown, found: unknown[]]> = [
    ["nothing for other keys of the same shape", { keys: [{ ...rsa, kid: "9" }, rsa] }, []],
    ["another type and algorithm", { keys: [ec] }, [
      {
        area: "keys",
        member: "keys: types",
        onlyPreset: ["RSA RS256 sig"],
        onlyReal: ["EC P-256"],
      },
      { area: "keys", member: "keys: members", onlyPreset: ["alg", "use"], onlyReal: ["crv"] },
    ]],
    ["certificates", { keys: [{ ...rsa, x5c: ["a"], x5t: "b" }] }, [
      { area: "keys", member: "keys: members", onlyPreset: [], onlyReal: ["x5c", "x5t"] },
    ]],
  ];
  for (const [what, real, found] of cases) {
    it(`finds ${what}`, () => {
      assertEquals<unknown>(compareKeySets({ keys: [rsa] }, real), found);
    });
  }

  it("finds that there is no key set", () => {
    for (const real of [{}, { keys: [] }, "text", { keys: "a" }]) {
      assertEquals(compareKeySets({ keys: [rsa] }, real)[0]?.real, "no key set");
    }
  });
});
