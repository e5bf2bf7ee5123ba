import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { derivedId } from "../../src/lab/dialect/identifier_forms.ts";
import { matchPath, segmentIn } from "../../src/lab/dialect/match_path.ts";
import { fillTemplate } from "../../src/lab/dialect/template.ts";
import { hallpass, type HallpassOptions } from "../../src/lab/testing/mod.ts";
import { clientAt, webClient } from "../support/provider_login.ts";
import { assertReport } from "../support/reported.ts";
import { needs } from "../support/where_feature.ts";

const values = {
  base: "https://id.example",
  user: { sub: "alice", "cognito:groups": ["a"] },
  now: 5,
};

describe("A template of a dialect", () => {
  const cases: Array<[template: unknown, filled: unknown]> = [
    ["{now}", 5],
    ["at {now}", "at 5"],
    ["{base}/{tenantid}/v2.0", "https://id.example/{tenantid}/v2.0"],
    ["{user.cognito:groups}", ["a"]],
    [{ email: "{user.email}", name: "{user.name|null}" }, { name: null }],
    [['{user.name|"none"}', true], ["none", true]],
    [{ user: { name: { first: "{user.given_name}" } }, none: {} }, { none: {} }],
    ["{number:user.sub}", Number(derivedId("alice", { form: "digits", length: 8 }))],
    ["{uuid:user.sub}", derivedId("alice", { form: "uuid" })],
    ["{unknown:user.sub}", "alice"],
  ];
  for (const [template, filled] of cases) {
    it(`fills ${JSON.stringify(template)}`, () => {
      assertEquals(fillTemplate(template, values), filled);
    });
  }
});

describe("A derived id", () => {
  it("is the same for a name each time, and another one for every other name", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `user-${at}`);
    const ids = names.map((name) => derivedId(name, { form: "digits" }));
    assertEquals(new Set(ids).size, names.length);
    assertEquals(ids[7], derivedId("user-7", { form: "digits" }));
  });

  it("has its form, its length and its prefix", () => {
    const form = { form: "hex", length: 12, prefix: "auth0|" } as const;
    assertMatch(derivedId("alice", form), /^auth0\|[0-9a-f]{12}$/);
  });
});

describe("A path of a dialect", () => {
  const places = [{ path: "/common/keys" }, { path: "/:tenant/keys" }];
  const cases: Array<[path: string, found: string | undefined, segment: string | undefined]> = [
    ["/common/keys", "/common/keys", ""],
    ["/acme/keys", "/:tenant/keys", "acme"],
    ["//keys", undefined, undefined],
    ["/a/b/keys", undefined, undefined],
  ];
  for (const [path, found, segment] of cases) {
    it(`is found for ${path}, the first that matches`, () => {
      const match = matchPath(places, path);
      assertEquals([match?.place.path, match?.segment], [found, segment]);
    });
  }
});

describe("The open segment of a path", () => {
  const cases: Array<[pattern: string, path: string, segment: string | undefined]> = [
    ["/:region_:id", "/eu_1", "eu_1"],
    ["/:region_:id", "/eu", undefined],
    ["/:region_:id", "/_1", undefined],
    ["/:region_:id", "/eu_", undefined],
    ["/:a-:b-:c_:id", "/us-gov-west-1_x", "us-gov-west-1_x"],
    ["/:a-:b-:c_:id", "/us-1_x", undefined],
  ];
  for (const [pattern, path, segment] of cases) {
    it(`is ${segment} for ${pattern} and ${path}`, () => {
      assertEquals(segmentIn(pattern, path), segment);
    });
  }
});

describe("A lab with a dialect of its owner", () => {
  const open = (dialect: HallpassOptions["dialect"]) =>
    hallpass({
      clients: [{ ...webClient, pkce: "optional" }],
      signIn: "alice",
      ...dialect && { dialect },
    });

  async function tokensOf(lab: Awaited<ReturnType<typeof open>>, accept = "*/*") {
    const app = clientAt(lab);
    const { code } = await app.callback({ scope: "openid" });
    return await app.redeem(code, {}, { Accept: accept });
  }

  it(
    "has responses in the form that it says, which the lab reads as ever",
    needs("hooks"),
    async () => {
      await using lab = await open({ tokenResponses: "form" });
      assertMatch((await tokensOf(lab)).text, /^access_token=ey/);
      lab.on("token", ({ claims }) => void (claims.role = "admin"));
      const changed = new URLSearchParams((await tokensOf(lab)).text);
      const [, payload = ""] = (changed.get("access_token") ?? "").split(".");
      assertMatch(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), /"role":"admin"/);
      assertEquals(lab.flows().at(-1)?.steps.map(({ what }) => what), ["answered", "redeemed"]);
    },
  );

  it("has documents and aliases beside its own paths", async () => {
    await using lab = await open({
      documents: [{ path: "/about/:what", body: { what: "{segment}", at: "{base}" } }],
      aliases: [{ path: "/:any/keys", to: "jwks" }],
    });
    const about = await (await lab.fetch(`${lab.issuer}/about/us`)).json();
    assertEquals(about, { what: "us", at: lab.issuer });
    const keys = await (await lab.fetch(`${lab.issuer}/acme/keys`)).json();
    const own = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
    assertEquals(keys, own);
  });

  it("refuses accounts by the path, in each response mode and in a tenant, as text on its page", async () => {
    const dialect: HallpassOptions["dialect"] = {
      aliases: [{ path: "/as/:kind/authorize", to: "authorize" }],
      accountTypes: {
        paths: ["/as/:kind/authorize"],
        account: "{user.kind}",
        rules: [{ segments: ["staff"], only: ["staff"] }, { never: ["guest"], text: "{user.sub}" }],
      },
    };
    const users = [{ name: "eve", sub: "<script>", claims: { kind: "guest" } }];
    const config = { clients: [{ ...webClient, pkce: "optional" as const }], users, dialect };
    await using lab = await hallpass({ ...config, signIn: "eve" });
    const tenant = await lab.tenant({ ...config, signIn: "eve" });
    for (const each of [lab, tenant]) {
      for (const response_mode of ["query", "form_post"]) {
        const staff = await clientAt(each, ["as/staff/authorize", ""]).ask({ response_mode });
        assertEquals(staff.status, 400);
        assertMatch(await staff.text(), /<p id="[^"]+">This account cannot be used here\.<\/p>/);
        const other = await clientAt(each, ["as/any/authorize", ""]).ask({ response_mode });
        assertMatch(await other.text(), /&lt;script&gt;/);
      }
      assertEquals(typeof (await clientAt(each).callback()).code, "string");
    }
  });

  it("is nothing that changes a lab without one", async () => {
    await using lab = await open(undefined);
    assertEquals((await tokensOf(lab)).body.token_type, "Bearer");
    assertReport(lab, { leniencies: [] });
  });
});
