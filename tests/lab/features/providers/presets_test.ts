import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { features } from "../../../../src/lab/features.ts";
import { applyPreset } from "../../../../src/lab/features/providers/apply_preset.ts";
import { type ProviderName, providerNames } from "../../../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../../../src/lab/features/providers/presets.ts";
import type {
  PresetSettings,
  ProviderPreset,
} from "../../../../src/lab/features/providers/presets/preset.ts";
import { refusedSettings } from "../../../../src/lab/lab_server/json_settings.ts";
import { leniencyNames } from "../../../../src/lab/leniencies/leniencies.ts";
import { hallpass, type HallpassOptions, LabError } from "../../../../src/lab/testing/mod.ts";
import { labFileSchema } from "../../../../src/lab/util/lab_schema.ts";
import { testSettings } from "../../../../src/server/config/test_settings.ts";
import { configSchema, grantTypes as knownGrants } from "../../../../src/server/features.ts";
import { ConfigError, createServer } from "../../../../src/server/mod.ts";
import { cibaGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { assertReport } from "../../../support/reported.ts";
import { hasFeature, needs } from "../../../support/where_feature.ts";

/** The lines that a stranger can review beside the documentation of a provider. */
const maxLines = 120;

/**
 * Entra has twice as many facts as others: four kinds of tenants, which accounts each takes, two
 * shapes of tokens, an API with photos, and errors that have numbers. GitHub and GitLab have an API
 * about the user, and errors in sentences that libraries print; Discord has four such APIs; Apple has
 * ten sources, of which none states more than three facts; Google has scopes and paths from before
 * OpenID Connect; LinkedIn has products that are not played.
 */
const longer: Readonly<Record<string, number>> = {
  "apple.ts": 128,
  "discord.ts": 142,
  "entra.ts": 271,
  "github.ts": 161,
  "gitlab.ts": 137,
  "google.ts": 167,
  "keycloak.ts": 127,
  "linkedin.ts": 122,
};

const folder = "tests/lab/features/providers";
const presets = await Promise.all(providerNames.map(loadPreset));

/** The titles of the tests of a preset. */
function titlesOf({ name }: ProviderPreset): string {
  const source = [name, "stored_metadata", "wire"]
    .map((each) => readFileSync(`${folder}/${each}_test.ts`, "utf8")).join();
  return [...source.matchAll(/\bit(?:\.\w+)?\(\s*["'`]([^:]*):/g)].map(([, ids]) => ids).join(" ") +
    [...source.matchAll(/\[\s*"([a-z\d]+\.[\w. ]+)"/g)].map(([, id]) => ` ${id}`).join("");
}

/** Imports need no review, and metadata has a test that compares it with a stored copy. */
function reviewedLines(source: string): number {
  const reviewed = source
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^const metadata = .*?^\}\)?;\n/ms, "");
  return reviewed.trim().split("\n").length;
}

describe("An address that is no URL", () => {
  for (const name of ["issuer", "frontChannelUrl", "backChannelUrl"]) {
    it(`is rejected with its name, also where a preset has paths for it: ${name}`, async () => {
      const options: HallpassOptions = { provider: "entra", [name]: "x" };
      await assertRejects(() => hallpass(options), ConfigError, name);
    });
  }
});

describe("Every preset of a provider", () => {
  it("has a file of data with its name, which can be reviewed at once", () => {
    const folder = "src/lab/features/providers/presets";
    const files = readdirSync(folder).filter((file) => !file.startsWith("preset"));
    assertEquals(files.sort(), providerNames.map((name) => `${name}.ts`).sort());
    for (const file of files) {
      const source = readFileSync(`${folder}/${file}`, "utf8");
      const lines = reviewedLines(source);
      assert(lines <= (longer[file] ?? maxLines), `${file} has ${lines} lines`);
      assert(!/\bfunction\b|\bif \(|=> \{/.test(source), `${file} has code`);
    }
  });

  for (const preset of presets) {
    const { name, facts, sources } = preset;

    it(`names a source of each fact, with a test: ${name}`, () => {
      const titles = titlesOf(preset).split(/[\s]+/);
      for (const [id, { from, says }] of Object.entries(facts)) {
        assertMatch(says, /\.$/);
        for (const source of from) assert(sources[source], `${id}: there is no source '${source}'`);
        assert(titles.includes(`${name}.${id}`), `No test shows ${name}.${id}`);
      }
      const used = Object.values(facts).flatMap(({ from }) => from);
      assertEquals([...new Set(used)].sort(), Object.keys(sources).sort());
      for (const [url, text] of Object.values(sources)) {
        assert(URL.canParse(url) && text !== "", url);
      }
    });

    it(`X5: lists each grant as not played that it advertises and refuses: ${name}`, () => {
      const { grantTypes = knownGrants, dialect } = applyPreset<PresetSettings>(preset, {});
      const advertised = (dialect?.documents ?? []).flatMap(({ body }) =>
        (body as { grant_types_supported?: string[] }).grant_types_supported ?? []
      );
      const missing = preset.missing.join(" ");
      const played = [...grantTypes, ...hasFeature("ciba") ? [] : [cibaGrantType]];
      for (const grant of advertised.filter((each) => !played.includes(each))) {
        assertStringIncludes(missing, grant.split(/[:/]/).at(-1) ?? "");
      }
    });

    it(`decides neither who reaches the lab nor what the lab reaches: ${name}`, () => {
      const names = Object.keys(applyPreset<PresetSettings>(preset, {}));
      assertEquals(names.filter((each) => Object.hasOwn(refusedSettings, each)), []);
      const known = { ...configSchema.members, ...labFileSchema.members };
      assertEquals(names.filter((each) => !Object.hasOwn(known, each)), []);
    });

    it(`has leniencies that a server refuses by name: ${name}`, () => {
      const settings = applyPreset<PresetSettings>(preset, {});
      const forTests = Object.keys(settings).filter((each) => Object.hasOwn(testSettings, each));
      assert(forTests.length > 0);
      const config = { issuer: "https://id.example", ...settings, provider: name };
      const error = assertThrows(() => createServer(config as never), ConfigError) as ConfigError;
      for (const setting of [...forTests, "provider"]) {
        assertMatch(error.message, new RegExp(`  - ${setting} is for tests only: `));
      }
    });

    it(`names its leniencies in the report: ${name}`, needs("report"), async () => {
      await using lab = await hallpass({ provider: name as ProviderName });
      const expected = leniencyNames(applyPreset<PresetSettings>(preset, {}) as never, features);
      assert(expected.includes("redirectStatus: 302") || !hasFeature("redirect_status"));
      assertEquals(lab.report().leniencies.filter((each) => expected.includes(each)), expected);
    });

    it(`is the same after a reset: ${name}`, async () => {
      await using lab = await hallpass({ provider: name as ProviderName });
      const before = lab.users.list().length;
      const [reported] = hasFeature("report") ? [lab.report()] : [];
      await lab.reset();
      assertEquals(lab.users.list().length, before);
      if (reported) assertReport(lab, { leniencies: reported.leniencies });
    });
  }
});

describe("The setting 'provider'", () => {
  it("names the providers that exist if it is unknown", async () => {
    await assertRejects(
      () => hallpass({ provider: "gihub" as never }),
      LabError,
      `There is no provider 'gihub'. Choose one of: ${providerNames.join(", ")}.`,
    );
  });

  const contradictions: ReadonlyArray<readonly [HallpassOptions, RegExp]> = [
    [{ paths: { token: "/token" } }, /'paths\.token' is "\/token", but github has "\/login\/oauth/],
    ...hasFeature("redirect_status")
      ? [[{ redirectStatus: 303 }, /'redirectStatus' is 303, but github has 302/] as const]
      : [],
    [{ clientDefaults: { pkce: "required" } }, /'clientDefaults\.pkce' is "required", but/],
    [{ dialect: { scopeSeparator: " " } }, /'dialect\.scopeSeparator' is " ", but github has ","/],
    [{ profile: "fapi-2.0" }, /the profile fapi-2\.0 forbids what github does/],
  ];
  for (const [options, problem] of contradictions) {
    it(`says what contradicts it: ${JSON.stringify(options)}`, async () => {
      const attempt = () => hallpass({ provider: "github", ...options });
      const error = await assertRejects(attempt, LabError);
      assertMatch((error as Error).message, /^Cannot play the provider 'github': /);
      assertMatch((error as Error).message, problem);
    });
  }

  it(
    "goes with settings that say the same, and with scopes beside those of the provider",
    needs("redirect_status"),
    async () => {
      await using lab = await hallpass({
        provider: "github",
        redirectStatus: 302,
        scopes: ["workflow"],
        clients: [{ id: "web", secret: "s".repeat(32), scopes: ["workflow", "repo"] }],
      });
      assertEquals(lab.clients.list().length, 1);
    },
  );

  it("is for the start of a lab, not for one that runs", async () => {
    await using lab = await hallpass();
    assertThrows(() => lab.configure({ provider: "github" }), LabError, "set at the start");
    assertThrows(() => lab.configure({ dialect: {} }), LabError, "set at the start");
  });

  it("is for a tenant as well", async () => {
    await using lab = await hallpass();
    const tenant = await lab.tenant({ id: "hub", provider: "github" });
    const page = await tenant.fetch(`${tenant.issuer}/login/device`);
    assertEquals([tenant.issuer, page.status], [`${lab.issuer}/t/hub`, 200]);
    const user = await lab.fetch(`${tenant.issuer}/user`);
    assertEquals((await user.json()).message, "Bad credentials");
  });
});
