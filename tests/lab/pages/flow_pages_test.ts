import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { verifier } from "../../support/kit.ts";
import {
  authorizationUrlIn,
  flowCode,
  redeemIn,
  refreshIn,
  tokenIn,
  userinfoIn,
} from "../../support/lab_flow.ts";
import { openTab } from "../../support/lab_tab.ts";
import { firstMatch } from "../../support/present.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const it = itWith({
  inLab: () => open(),
  inLabWithFaults: { ...needs("faults"), open: () => open() },
});

const issuer = "http://localhost:9000";

function open(): Lab {
  return openLab({ issuer });
}

async function html(lab: Lab, path: string): Promise<string> {
  return await (await openTab(lab)).html(path);
}

async function text(lab: Lab, path: string): Promise<string> {
  return textOf(await html(lab, path));
}

describe("The list of flows", () => {
  it.inLab("says how to begin while there is no flow", async (lab) => {
    const page = await text(lab, "/lab/flows");
    assertStringIncludes(page, "No client has started a flow yet");
    assertStringIncludes(page, `signs users in at ${issuer} Connect your application`);
  });

  it("U6: cuts a client id of 300 characters in titles, which have the whole", async () => {
    await using lab = open();
    const client_id = "c".repeat(300);
    await lab.fetch(new Request(authorizationUrlIn(lab, { client_id })));
    const ofReport = [
      ["/lab/report", /class="verdict-title".*?<\/p>/s],
      ["/lab/report", /<h2>.*?<\/h2>/s],
    ] as const;
    const titles = [
      ["/", /class="verdict-title".*?<code>/s],
      ["/lab/flows", /id="open-flow-1".*?<\/a>/s],
      ["/lab/flows/flow-1", /<h1>.*?<\/h1>/s],
      ...hasFeature("report") ? ofReport : [],
    ] as const;
    for (const [path, title] of titles) {
      const [shown = ""] = title.exec(await html(lab, path)) ?? [];
      assertMatch(textOf(shown), /c{79}…/, path);
    }
  });

  it("has each flow with its client, its user, its outcome and why it was refused", async () => {
    await using lab = open();
    await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
    const page = await text(lab, "/lab/flows");
    assertMatch(
      page,
      /alice → demo-spa Refused: invalid_grant The code_verifier must .* \d\d:\d\d:\d\d/,
    );
  });

  it.inLabWithFaults("marks a flow with a refusal that its client recovered from, and one that a fault changed", async (lab) => {
    const code = await flowCode(lab);
    await redeemIn(lab, code, { code_verifier: "w".repeat(43) });
    await redeemIn(lab, code);
    assertMatch(
      await text(lab, "/lab/flows"),
      /Tokens issued POST \/oauth2\/token 1 request refused/,
    );
    lab.fault("id_token.wrong_aud", { times: 1 });
    await redeemIn(lab, await flowCode(lab, { state: "other" }));
    assertMatch(
      await text(lab, "/lab/flows"),
      /alice → demo-spa Tokens issued \S+ \S+ id_token\.wrong_aud .* 1 request refused/,
    );
  });

  it.inLab("says of a missing parameter that it is missing, and of an empty one that it is empty", async (lab) => {
    const code = await flowCode(lab);
    const grant = { grant_type: "authorization_code", client_id: "demo-spa", code };
    const redirect_uri = `${issuer}/authorized`;
    await tokenIn(lab, { ...grant, redirect_uri: "" });
    assertMatch(await text(lab, "/lab/flows/flow-1?step=9"), /redirect_uri \(empty\)/);
    await tokenIn(lab, { ...grant, redirect_uri });
    assertMatch(await text(lab, "/lab/flows/flow-1?step=11"), /code_verifier \(missing\)/);
  });

  it("has the requests that belong to no flow: an unknown code, and a wrong path", async () => {
    await using lab = open();
    await redeemIn(lab, "unknown");
    await lab.fetch(new Request(`${issuer}/token`, { method: "POST", body: "" }));
    const page = await text(lab, "/lab/flows");
    assertMatch(page, /POST \/token 404 not_found This URL does not exist\./);
    assertMatch(page, /POST \/oauth2\/token 400 invalid_grant demo-spa The code is unknown/);
    const [, missing] = lab.exchanges();
    assertMatch(await text(lab, `/lab/flows/request-${missing?.id}`), /exist\..* Received POST/);
  });

  it.inLab("has beside it the chosen flow, with what came and what was expected", async (lab) => {
    await tokenIn(lab, { grant_type: "client_credentials", client_id: "demo-service" });
    assertMatch(await html(lab, "/lab/flows"), /<div id="preview" data-live(="true")?><\/div>/);
    assertMatch(
      await text(lab, "/lab/flows?flow=flow-1"),
      /Received no client authentication Expected client_secret_basic or client_secret_post/,
    );
  });

  const filters: Array<[query: string, flows: string[], others: string[]]> = [
    ["", ["flow-3", "flow-2", "flow-1"], ["/token"]],
    ["refused=on", ["flow-2"], ["/token"]],
    ["client=demo-web", ["flow-3"], []],
    ["endpoint=token", ["flow-2"], []],
    ["endpoint=token&refused=on&client=demo-web", [], []],
    ["since=5m", ["flow-3"], []],
    ["since=1d", ["flow-3", "flow-2", "flow-1"], ["/token"]],
    ["since=constructor", ["flow-3", "flow-2", "flow-1"], ["/token"]],
    ["q=CODE_verifier+alice", ["flow-2"], []],
    ["q=/token", [], ["/token"]],
    ["q=nothing+like+it", [], []],
  ];
  for (const [query, flows, others] of filters) {
    it.inLab(`is filtered by '${query}', and counts what is left`, async (lab) => {
      await flowCode(lab);
      await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
      await lab.fetch(new Request(`${lab.issuer}/token`, { method: "POST", body: "" }));
      lab.clock.advance("10m");
      await lab.fetch(new Request(authorizationUrlIn(lab, { client_id: "demo-web" })));
      const page = await html(lab, `/lab/flows?${query}`);
      const listed = [...page.matchAll(/\/lab\/flows\/(flow-\d)"/g)].map(([, id]) => id);
      assertEquals(listed, flows);
      const requests = [...page.matchAll(/\/lab\/flows\/request-\d+">POST ([^<]+)</g)];
      assertEquals(requests.map(([, path]) => path), others);
      const count = flows.length === 3 ? "3" : `${flows.length} of 3`;
      assertStringIncludes(textOf(page), `All flows j next, k previous ${count} `);
    });
  }

  it.inLab("says that no flow matches, and leads back to all", async (lab) => {
    await flowCode(lab);
    const page = await html(lab, "/lab/flows?client=other");
    assertStringIncludes(page, "No flow matches the filter");
    assertMatch(page, /<a href="\/lab\/flows">Show all</);
  });

  it.inLab("has pages, and keeps the filter on each", async (lab) => {
    for (let at = 0; at < 220; at++) {
      await lab.fetch(new Request(authorizationUrlIn(lab, { client_id: `app-${at}` })));
    }
    const shown = async (query: string) => {
      const page = await html(lab, `/lab/flows?${query}`);
      const ids = [...page.matchAll(/\/lab\/flows\/(flow-\d+)"/g)].map(([, id]) => id);
      return [ids[0], ids.length, /\d+–\d+ of \d+/.exec(textOf(page))?.[0]];
    };
    assertEquals(await shown(""), ["flow-220", 100, "1–100 of 220"]);
    assertEquals(await shown("page=3"), ["flow-20", 20, "201–220 of 220"]);
    for (const page of ["99", "-1", "x", "1e9"]) {
      const [, , range] = await shown(`page=${page}`);
      assertEquals(range, page === "99" ? "201–220 of 220" : "1–100 of 220", page);
    }
    assertStringIncludes(
      await html(lab, "/lab/flows?q=app&page=2"),
      'href="/lab/flows?q=app&amp;page=3"',
    );
  });

  it.inLab("U6: has one row for flows that failed alike, which leads to each of them", async (lab) => {
    for (let at = 0; at < 5; at++) {
      await tokenIn(lab, { grant_type: "client_credentials", client_id: "demo-service" });
      await redeemIn(lab, await flowCode(lab, { state: `s${at}` }));
    }
    const page = await html(lab, "/lab/flows");
    assertStringIncludes(textOf(page), "demo-service , 5 flows all refused: invalid_client The");
    assertEquals(page.match(/class="row good"/g)?.length, 5);
    const [, href = ""] = /href="([^"]*\?like=flow-\d+)"/.exec(page) ?? [];
    const alike = await html(lab, href);
    assertEquals(alike.match(/class="row bad"/g)?.length, 5);
    assertMatch(textOf(alike), /Flows like flow-9 .*5 of 10/);
  });

  it.inLab("U6: calls an open page unanswered only after a minute", async (lab) => {
    lab.clock.freeze();
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    assertMatch(await text(lab, "/lab/flows"), /demo-spa Running GET/);
    lab.clock.advance("1m");
    assertMatch(await text(lab, "/lab/flows"), /No response to the page “Sign in” yet/);
  });

  it.inLabWithFaults("U6: leaves out what faults changed, or shows nothing else", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    lab.fault("id_token.wrong_aud", { times: 1 });
    await redeemIn(lab, await flowCode(lab, { state: "other" }));
    const listed = async (query: string) =>
      [...(await html(lab, `/lab/flows?${query}`)).matchAll(/id="row-(flow-\d)"/g)]
        .map(([, id]) => id);
    assertEquals(await listed("faults=without"), ["flow-1"]);
    assertEquals(await listed("faults=only"), ["flow-2"]);
  });

  it.inLab("U6: says what a client did with a minted token", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
    await userinfoIn(lab, access_token);
    assertMatch(await text(lab, "/lab/flows"), /Token used GET \/oauth2\/userinfo/);
  });

  it.inLab("U6: shows no column that holds nothing", async (lab) => {
    lab.clock.freeze();
    await redeemIn(lab, await flowCode(lab));
    assertNotMatch(await text(lab, "/lab/flows"), /0 ms|Requests 1/);
  });

  it.inLab("is JSON for programs, as before", async (lab) => {
    await flowCode(lab);
    const response = await lab.fetch(new Request(`${issuer}/lab/flows`));
    const [flow] = await response.json();
    assertEquals([flow.id, flow.client], ["flow-1", "demo-spa"]);
  });
});

describe("The page of a flow", () => {
  it("shows the first thing that failed, with what was expected and what came", async () => {
    await using lab = open();
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "http://localhost:3000/cb" });
    const page = await text(lab, "/lab/flows/flow-1");
    assertStringIncludes(
      page,
      "The redirect_uri must be identical to the one of the authorization request.",
    );
    assertStringIncludes(
      page,
      "Received http://localhost:3000/cb Expected http://localhost:9000/authorized",
    );
  });

  it.inLab("U6: has why it was refused before its diagram, and what passed in one line", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
    const page = await html(lab, "/lab/flows/flow-1");
    const [refusal, diagram] = ['id="refusal"', 'id="diagram"'].map((each) => page.indexOf(each));
    assert(Number(refusal) > 0 && Number(refusal) < Number(diagram));
    assertMatch(page, /<details class="passed"><summary>\d+ checks passed<\/summary>/);
    assertNotMatch(page, /<details class="passed" open/);
  });

  it.inLab("is called after its user, its client and its time, in its title and its heading", async (lab) => {
    await flowCode(lab);
    const page = await html(lab, "/lab/flows/flow-1");
    assertMatch(page, /<title>alice → demo-spa, \d\d:\d\d: Code issued · Hallpass lab<\/title>/);
    assertMatch(
      page,
      /<h1><bdi title="alice → demo-spa">alice → demo-spa, \d\d:\d\d<\/bdi> <span class="tag/,
    );
  });

  it.inLab("shows the step that its address names", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const page = await html(lab, "/lab/flows/flow-1?step=2");
    assertMatch(page, /id="arrow-2"[^>]* aria-current="step"/);
    assertMatch(textOf(page), /2 GET \/oauth2\/authorize/);
  });

  it.inLab("leaves the random part of a path out of its heading", async (lab) => {
    await flowCode(lab);
    const shown = await text(lab, "/lab/flows/flow-1?step=4");
    assertMatch(shown, /Step 4: POST \/oauth2\/interaction\/…\/sign-in 303/);
  });

  it.inLab("shows the exchange that a link from elsewhere names", async (lab) => {
    await redeemIn(lab, await flowCode(lab), { code_verifier: "w".repeat(43) });
    assertMatch(await text(lab, "/lab/flows/flow-1?exchange=1"), /GET \/oauth2\/authorize 303/);
  });

  it.inLab("works the PKCE proof through", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const page = await text(lab, "/lab/flows/flow-1?secrets=on");
    assertStringIncludes(page, "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3");
    assertStringIncludes(page, "equals the code_challenge");
  });

  it.inLab("decodes the tokens, and verifies their signatures", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    assertMatch(await text(lab, "/lab/flows/flow-1"), /ID token.*signature/s);
  });

  it.inLab("shows how everything is revoked after a refresh token was used twice", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
    await refreshIn(lab, refresh_token);
    const shown = await text(lab, "/lab/flows/flow-1");
    assertMatch(shown, /refresh token 2 revoked in step 14 : its refresh token was used twice/);
  });

  it.inLab("hides secrets unless the reader asks for them", async (lab) => {
    const code = await flowCode(lab);
    const { access_token, refresh_token } = await redeemIn(lab, code);
    const secrets = [code, access_token, refresh_token, verifier];
    for (const step of Array.from({ length: 12 }, (_, at) => at + 1)) {
      const page = await html(lab, `/lab/flows/flow-1?step=${step}`);
      assertEquals(secrets.filter((secret) => page.includes(secret)), [], `step ${step}`);
    }
    const shown = await html(lab, "/lab/flows/flow-1?secrets=on");
    assertEquals(secrets.filter((secret) => !shown.includes(secret)), []);
  });

  it.inLab("speaks of hidden secrets where a command has some", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const hints = await Promise.all(
      [2, 9].map(async (step) =>
        (await html(lab, `/lab/flows/flow-1?step=${step}`)).includes("Secrets are hidden")
      ),
    );
    assertEquals(hints, [false, true]);
  });

  it.inLab("is not found for a flow that is not there", async (lab) => {
    const tab = await openTab(lab);
    const response = await tab.get("/lab/flows/flow-7");
    assertStringIncludes(await response.text(), "There is no flow 'flow-7', or it was deleted");
    assertEquals(response.status, 404);
  });
});

describe("What a reader takes along from a flow", () => {
  for (const [format, start] of [["mermaid", "sequenceDiagram\n"], ["text", "flow-1 · demo-spa"]]) {
    it.inLab(`is a diagram in ${format}`, async (lab) => {
      await flowCode(lab);
      const diagram = await html(lab, `/lab/flows/flow-1/${format}`);
      assertEquals(diagram.slice(0, start?.length), start);
    });
  }
});

describe("The command below a request", () => {
  it.inLab("comes with what of it does not work again, and how to get it anew", async (lab) => {
    const code = await flowCode(lab);
    const command = async () =>
      (await text(lab, "/lab/flows/flow-1?secrets=on")).split("Send it again").at(-1) ?? "";
    await redeemIn(lab, code, { code_verifier: "w".repeat(43) });
    assertNotMatch(await command(), /The code is/);
    await redeemIn(lab, code);
    assertMatch(await command(), /The code is spent: lab\.authorize gets a code/);
  });

  it.inLab("says of what was signed for one request that it must be signed anew", async (lab) => {
    const claims = btoa(JSON.stringify({ jti: "1" })).replaceAll("=", "");
    const headers = { DPoP: "proof", "Content-Type": "application/x-www-form-urlencoded" };
    const body = `client_assertion=e30.${claims}.AA`;
    await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", headers, body }));
    assertMatch(
      await text(lab, "/lab/flows/request-1"),
      /The client assertion works once: sign a new one\..*The DPoP proof works once/,
    );
  });
});

describe("An error page of a lab", () => {
  it.inLab("leads to what happened", async (lab) => {
    const page = await html(
      lab,
      authorizationUrlIn(lab, { client_id: "who" }).slice(issuer.length),
    );
    const link = firstMatch(page, /<a id="flow" href="([^"]+)"/);
    assertStringIncludes(await text(lab, link), "The client_id must be that of a known client");
  });

  it("leads to the pages of the lab where they have a port of their own", async () => {
    const pages: { url?: string } = {};
    await using lab = openLab({ issuer, controlApart: true, pagesUrl: () => pages.url });
    const errorPage = async () => {
      const headers = { Accept: "text/html" };
      const url = authorizationUrlIn(lab, { client_id: "who" });
      return await (await lab.fetch(new Request(url, { headers }))).text();
    };
    assertNotMatch(await errorPage(), /id="flow"/);
    pages.url = "http://localhost:9412/lab";
    assertMatch(await errorPage(), /href="http:\/\/localhost:9412\/lab\/flows\/at-\d+"/);
  });
});
