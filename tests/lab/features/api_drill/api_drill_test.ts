import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import {
  type ApiDrill,
  hallpass,
  type HallpassOptions,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import {
  protectedResource,
  type ProtectedResourceConfig,
} from "../../../../src/resource/protected_resource.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  withReportAndIntrospection: needs("report", "introspection"),
  withReport: needs("report"),
});

const url = "https://api.test/orders";
const scope = ["orders:read"];

/** Returns an API that hallpass/resource protects, for the orders of Alice. */
function createApi(lab: TestLab, config: Partial<ProtectedResourceConfig> = {}) {
  const api = protectedResource({
    resource: url,
    authorizationServers: [lab.issuer],
    fetch: (target, init) => lab.fetch(target, init as RequestInit),
    ...config,
  });
  return async (request: Request): Promise<Response> => {
    const metadata = api.handle(request);
    if (metadata) return metadata;
    const access = await api.require(request, { scope });
    if (access instanceof Response) return access;
    return Response.json({ orders: [] }, { status: access.subject === "alice" ? 200 : 404 });
  };
}

/** Opens a lab that reaches an API by its URL, without a network. */
async function openWithApi(options: HallpassOptions = {}) {
  const reached: { api?: ReturnType<typeof createApi> } = {};
  const fetch: HallpassOptions["fetch"] = async (target, init) =>
    await reached.api?.(new Request(target, init as RequestInit)) ?? Response.error();
  const drillOrigins = ["https://api.test"];
  const lab = await hallpass({ alg: "EdDSA", fetch, drillOrigins, ...options });
  reached.api = createApi(lab);
  return lab;
}

const some = ["no_token", "expired", "wrong_audience", "small_scope", "typ", "other_user"];

const introspection = { clientId: "demo-service", clientSecret: "demo-service-secret" };

describe("An API with hallpass/resource", () => {
  const kinds: Array<[what: string, config: (lab: TestLab) => Partial<ProtectedResourceConfig>]> = [
    ["of RFC 9068", () => ({})],
    ["that requires DPoP", () => ({ dpop: "required" })],
    ["whose metadata has bound tokens", () => ({ certificateOf: () => undefined })],
    ["that introspects", ({ issuer }) => ({ authorizationServers: [{ issuer, introspection }] })],
  ];
  for (const [what, config] of kinds) {
    const options = what === "that introspects" ? needs("introspection") : {};
    it(`passes a drill whole: ${what}`, options, async () => {
      await using lab = await hallpass({ alg: "EdDSA" });
      const request = createApi(lab, config(lab));
      const { grade, findings } = await lab.drillApi({ request, url, otherUser: "bob" });
      assertEquals([grade, findings], ["A", []]);
    });
  }

  it("leaves no key and no token behind that other tests could meet", async () => {
    await using lab = await hallpass();
    const keys = async () => (await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json()).keys;
    const before = await keys();
    await lab.drillApi({ request: createApi(lab), url, only: ["new_key"] });
    assertEquals(await keys(), before);
  });
});

describe("What an API asks of the lab", () => {
  it.withReportAndIntrospection("counts for nobody during a drill, though some of it is refused", async () => {
    await using lab = await hallpass();
    const servers = [{ issuer: lab.issuer, introspection }];
    const request = createApi(lab, { authorizationServers: servers });
    await lab.drillApi({ request, url, only: ["large_token", "unknown_token"] });
    const { clients, refused } = lab.report();
    assertEquals([clients, refused], [[], []]);
  });

  it.withReport("count for nobody during a drill of an API, and count again after it", async () => {
    await using lab = await hallpass();
    const fetchKeys = async () => void await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    const request = async () => {
      await fetchKeys();
      return new Response();
    };
    await lab.drillApi({ request, url, only: ["no_token"] });
    assertEquals([lab.report().findings, lab.report().requests], [[], 0]);
    for (let time = 0; time < 3; time++) await fetchKeys();
    assertEquals(lab.report().findings.map(({ id }) => id), ["keys-fetched-each-time"]);
  });
});

describe("POST /lab/drill with an API", () => {
  it("returns what lab.drillApi does", async () => {
    await using lab = await openWithApi();
    const api = { request: url, scope: scope.join(" "), otherUser: "bob", only: some };
    const { status, json } = await callLab(lab, "POST /drill", { api });
    assertEquals([status, json], [200, await lab.drillApi(api)]);
    assertEquals([json.findings, json.grade], [[], undefined]);
  });

  it("returns JUnit XML with a test case for each check", async () => {
    await using lab = await openWithApi();
    const api = { request: url, otherUser: "alice", only: ["other_user", "no_token"] };
    const { headers, json: text } = await callLab(lab, "POST /drill?format=junit", { api });
    assertEquals(headers.get("Content-Type"), "application/xml; charset=utf-8");
    assertStringIncludes(text, 'tests="2" failures="1"');
    assertStringIncludes(text, "API1:2023");
  });

  it("sends no request to a host that the operator has not named", async () => {
    await using lab = await openWithApi({ drillOrigins: [] });
    const { status, json } = await callLab(lab, "POST /drill", { api: { request: url } });
    assertEquals(status, 400);
    assertStringIncludes(json.error_description, "sends no request to https://api.test");
  });
});

describe("A drill of an API that proves nothing", () => {
  const problems: Array<[what: string, statuses: number[], reason: string]> = [
    ["it refuses a valid token", [401], "for the audience 'https://api.test/orders'"],
    ["it takes another method", Array(9).fill(405), "Name the method that the API expects."],
    ["it fails", Array(19).fill(503), "Look for the error in the log of the API."],
    [
      "its path is wrong",
      Array(9).fill(404),
      "Check the path '/orders', or name a user who may read",
    ],
    ["it limits its callers", [401, 404, 404, 429, 429], "limits how often"],
  ];
  for (const [what, statuses, reason] of problems) {
    it(`stops: ${what}`, async () => {
      await using lab = await hallpass();
      const request = () => new Response(null, { status: statuses.shift() ?? 401 });
      const call = { request, url, audience: url };
      await assertRejects(() => lab.drillApi(call), LabError, reason);
    });
  }
});

describe("An API that began to listen again since the last drill", () => {
  it("is called again if the connection that was kept is closed", async () => {
    await using lab = await hallpass();
    const api = createApi(lab);
    let calls = 0;
    const request = (sent: Request) => {
      if (calls++ === 0) throw new TypeError("other side closed");
      return api(sent);
    };
    const { findings } = await lab.drillApi({ request, url, only: ["no_token"] });
    assertEquals(findings, []);
  });
});

function gradesIn(lab: TestLab) {
  return lab.report().apis.map(({ url, grade, findings }) => ({
    url,
    ...grade && { grade },
    found: findings.map((each) => each.grade),
  }));
}

describe("The grade of an API", () => {
  it("is in the report until a reset", needs("report"), async () => {
    await using lab = await openWithApi();
    await lab.drillApi({ request: url, otherUser: "alice" });
    assertEquals(gradesIn(lab), [{ url, grade: "F", found: ["F"] }]);
    await lab.reset();
    assertEquals(lab.report().apis, []);
  });

  const broken = { request: url, otherUser: "alice" };
  const sound = { request: url, otherUser: "bob" };
  const part = { only: ["no_token", "other_user"] };
  const histories: Array<[what: string, drills: ApiDrill[], grade?: "A" | "F"]> = [
    ["some checks pass after a drill that found a violation", [broken, { ...sound, ...part }], "F"],
    ["some checks find a violation after a drill that found none", [sound, {
      ...broken,
      ...part,
    }], "F"],
    ["some checks find a violation, and others pass later", [
      { ...broken, ...part },
      { ...sound, ...part },
    ]],
  ];
  for (const [what, drills, grade] of histories) {
    it(`never hides a violation: ${what}`, needs("report"), async () => {
      await using lab = await openWithApi();
      for (const drill of drills) {
        const result = await lab.drillApi(drill);
        assertEquals(result.grade === undefined, drill.only !== undefined);
      }
      assertEquals(gradesIn(lab), [{ url, ...grade && { grade }, found: ["F"] }]);
    });
  }

  it("is on the page of the drill, with what to do", async () => {
    await using lab = await openWithApi();
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    const form = { request: url, scope: "orders:write" };
    const refused = await tab.post("/lab/drill/api", form);
    // The problem is next to the field, which keeps what was entered.
    assertMatch(
      await refused.text(),
      /value="[^"]*orders"[^>]*><p [^>]*id="problem"[^>]*>[^<]*prove nothing/,
    );
    await lab.drillApi({ request: url, otherUser: "alice" });
    const page = await tab.html("/lab/drill/api");
    assertStringIncludes(await tab.html("/lab/drill"), 'href="/lab/drill/api"');
    for (
      const part of [
        "Drill your API",
        "grade-f",
        "What to do:",
        "Findings: 1 F",
      ]
    ) {
      assert(page.includes(part), part);
    }
  });
});
