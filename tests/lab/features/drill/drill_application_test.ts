import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { LabEvent } from "../../../../src/lab/recording/lab_event.ts";
import {
  type FaultName,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { drilledClient, openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";

const it = itWith({
  withCarefulClient: () => openDrilledLab("careful"),
  withCarelessClient: () => openDrilledLab("careless"),
});

describe("A drill of an application", () => {
  it.withCarefulClient("gives the reason of each refusal", async ({ lab }) => {
    const { outcomes } = await lab.drill({ start: `${origin}/` }, ["callback.wrong_state"]);
    assertEquals(outcomes.map(({ outcome, reason, flow }) => [outcome, reason, flow]), [
      ["refused", "The callback responded with status 400.", "flow-2"],
    ]);
    await lab.close();
  });

  it.withCarelessClient("presses the button of a sign-in page", async ({ lab }) => {
    const application = { start: `${origin}/buttons`, check: `${origin}/` };
    const { refused } = await lab.drill(application, ["callback.denied"]);
    assertEquals(refused, ["callback.denied"]);
    await lab.close();
  });

  it.withCarefulClient("w6: names what the lab refused if the login fails", async ({ lab }) => {
    lab.clients.put({ ...drilledClient(), secret: "another-secret-of-32-letters-here" });
    const drill = lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    const { message } = await assertRejects(() => drill, LabError);
    assertMatch(
      message,
      /even without a fault\. The lab refused a request: invalid_client: .* Rule: client\.\w+\..* The callback responded with status 400\. Its flow is flow-1\.$/,
    );
    await lab.close();
  });

  it("says that the access token had expired before a login could be checked, and what to do", async () => {
    const parts: { lab?: TestLab } = {};
    const { lab } = await openDrilledLab("careful", {
      onEvent: (event) => void (event.type === "token.issued" && parts.lab?.clock.advance("2h")),
    });
    parts.lab = lab;
    const drill = lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    const { message } = await assertRejects(() => drill, LabError);
    assertMatch(
      message,
      /Rule: token\.active\..* Its access token had expired by then: let it last /,
    );
    await lab.close();
  });

  it("w6: names the code that was used twice, and not what was refused after it", async () => {
    const { lab } = await openDrilledLab("careful", {}, undefined, ["redeems_twice"]);
    const drill = lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    const { message } = await assertRejects(() => drill, LabError);
    assertMatch(message, /The lab refused a request: invalid_grant: .* Rule: code\.unused\./);
    const refused = lab.requests().filter(({ refusal }) => refusal);
    assertEquals(refused.map(({ refusal }) => refusal?.rule), ["code.unused", "token.active"]);
    const { refusedRequest, problem } = (await callLab(lab, "GET /drill")).json;
    assertEquals([refusedRequest, problem], [refused[0]?.id, message]);
    await lab.close();
  });

  it("w6: finds a refresh token that is kept, even if asked for a fault alone, and goes on", async () => {
    const { lab } = await openDrilledLab("careful", {}, undefined, ["keeps_first_refresh_token"]);
    const application = { start: `${origin}/`, refresh: `${origin}/refresh` };
    const logout = `${origin}/logout`;
    const only = ["callback.denied", "refresh.held", "refresh.lost"] as const;
    const { findings, refused, unmet, tolerated } = await lab.drill(
      { ...application, logout },
      only,
    );
    const [{ id, grade, received = "", fix = "" } = {}, ...others] = findings;
    assertEquals([id, grade, others], ["second_refresh", "C", []]);
    assertMatch(received, /^after a refresh, .*\/refresh responds with status 400$/);
    assertMatch(fix, /^Store the refresh_token of each response/);
    // Where a second refresh fails for good, two at once show no more. After a lost one, a user goes on.
    assertEquals([refused, unmet, tolerated], [["callback.denied"], ["refresh.held"], [
      "refresh.lost",
    ]]);
    await lab.close();
  });

  it.withCarefulClient("removes its faults", async ({ lab }) => {
    await lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    assertEquals(lab.faults.list(), []);
    await lab.close();
  });
});

/** What stops a drill, with a part of the reason. */
const problems: Array<[what: string, application: Record<string, unknown>, reason: string]> = [
  [
    "a start URL that does not lead to the lab",
    { start: `${origin}/none` },
    "begins no login; name one that does, such as /login: http://localhost:3000/none does not lead to the " +
    "lab: it responds with status 404.",
  ],
  [
    "a check URL that everyone can open",
    { start: `${origin}/login`, check: `${origin}/public` },
    "opens without a login",
  ],
  ["a public home page", { start: `${origin}/public` }, "such as /login, and a check URL"],
  [
    "a link that looks like a sign-in, and is none",
    { start: `${origin}/dead-link` },
    "Its links that look like a sign-in do not lead here: http://localhost:3000/public/sign-in.",
  ],
  [
    "a login at another issuer",
    { start: `${origin}/elsewhere-login` },
    "http://localhost:3000/elsewhere-login leads to another issuer, at https://login.example. " +
    "Configure https://hallpass.test as the issuer of the application.",
  ],
  ["another name of the lab", { start: "http://127.0.0.1:9000/login" }, "belongs to the lab"],
  ["an endless redirect", { start: `${origin}/loop` }, "more than 20 times"],
  ["a user who does not exist", { start: `${origin}/`, user: "nobody" }, "nobody"],
  ["no URL", { start: "/login" }, "'start' of a drill must be a URL"],
  ["the lab itself", { start: "https://hallpass.test/start" }, "belongs to the lab"],
  [
    "variants in the application",
    { start: `${origin}/`, only: ["callback.denied"] },
    "'only' is the second argument: lab.drill(application, [...]).",
  ],
  [
    "a member that is none",
    { start: `${origin}/`, cheque: `${origin}/` },
    "There is no member of an application to drill 'cheque'. Choose one of: start, check,",
  ],
];

/** How a login begins, if the URL does not lead to the lab by itself, with the check URL. */
const beginnings: Array<[what: string, path: string]> = [
  ["a link", "/links"],
  ["a URL that always begins a login", "/login"],
];

describe("R9: A drill without a check URL", () => {
  for (const [what, path] of beginnings) {
    it.withCarefulClient(`follows ${what}, and takes the page at the end`, async ({ lab }) => {
      const { refused } = await lab.drill({ start: `${origin}${path}` }, ["callback.denied"]);
      assertEquals(refused, ["callback.denied"]);
      assertEquals((await callLab(lab, "GET /drill")).json.check, `${origin}/`);
      await lab.close();
    });
  }

  it.withCarefulClient("follows no other link than one that looks like a sign-in", async ({ lab, visited }) => {
    await lab.drill({ start: `${origin}/links` }, ["callback.denied"]);
    const paths = visited.map((url) => new URL(url)).map(({ host, pathname }) => host + pathname);
    const others = ["localhost:3000/logout", "localhost:3000/cart", "other.example/login"];
    assertEquals(others.filter((path) => paths.includes(path)), []);
    await lab.close();
  });
});

describe("R9: A drill that cannot begin", () => {
  it.withCarefulClient("refuses variants that are no list", async ({ lab }) => {
    const only = { only: ["callback.denied"] } as unknown as FaultName[];
    const attempt = () => lab.drill({ start: `${origin}/` }, only);
    await assertRejects(attempt, LabError, "The second argument of a drill is a list: lab.drill(");
    await lab.close();
  });

  it.withCarelessClient("keeps the last result, until one has another", async ({ lab }) => {
    const progress = async () => (await callLab(lab, "GET /drill")).json;
    const only: FaultName[] = ["callback.wrong_state"];
    await lab.drill({ start: `${origin}/` }, only);
    for (const start of [`${origin}/none`, `${origin}/loop`]) {
      await assertRejects(() => lab.drill({ start }), LabError);
      const { state, outcomes, last } = await progress();
      assertEquals([state, outcomes, last.state, last.start], [
        "stopped",
        [],
        "finished",
        `${origin}/`,
      ]);
      assertEquals(last.accepted.map(({ fault }: { fault: string }) => fault), only);
    }
    await lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    assertEquals((await progress()).last, undefined);
    await lab.close();
  });
});

describe("A drill that cannot prove anything", () => {
  for (const [what, application, reason] of problems) {
    it(`stops because of ${what}`, async () => {
      const { lab } = await openDrilledLab("careful", { backChannelUrl: "http://localhost:9000" });
      const login = application as unknown as { start: string };
      await assertRejects(() => lab.drill(login, ["callback.denied"]), LabError, reason);
      await lab.close();
    });
  }
});

/** Where a request would leave the application. */
const foreign: Array<[what: string, start: string]> = [
  ["another host", "https://internal.example/"],
  ["an address of the network", "http://10.0.0.1/"],
  ["a name that only looks like this machine", "http://localhost.example/"],
  ["a redirect to the metadata of a cloud", `${origin}/elsewhere`],
  ["a file", "file:///etc/passwd"],
];

/** What is at fault, with a part of the sentence that says so. */
const faultyUrls: Array<[field: string, application: Record<string, string>, reason: string]> = [
  [
    "start",
    { start: "localhost:3000/login" },
    "lacks the scheme: write http://localhost:3000/login.",
  ],
  ["start", { start: `${origin}/none` }, "The start URL begins no login"],
  ["start", { start: "https://other.example/" }, "sends no request to https://other.example"],
  ["check", { start: `${origin}/login`, check: `${origin}/public` }, "opens without a login"],
  ["check", { start: `${origin}/`, check: "/account" }, "The 'check' of a drill must be a URL"],
  ["refresh", { start: `${origin}/`, refresh: `${origin}/none` }, "The refresh fails even without"],
];

describe("U6: The URL that stops a drill", () => {
  for (const [field, application, reason] of faultyUrls) {
    it.withCarefulClient(`is ${field}: ${reason}`, async ({ lab }) => {
      const { json } = await callLab(lab, "POST /drill", application);
      assertStringIncludes(json.error_description, reason);
      assertEquals((await callLab(lab, "GET /drill")).json.field, field);
      await lab.close();
    });
  }
});

describe("A drill that is stopped", () => {
  it("U6: keeps what it found, and lets the next one begin", async () => {
    const stopped = createDeferred<void>();
    const parts: { lab?: TestLab } = {};
    const onLabEvent = (event: LabEvent) => {
      if (event.type !== "drill.advanced" || event.done !== 1 || event.state !== "running") return;
      void parts.lab?.fetch(`${parts.lab.issuer}/lab/drill`, { method: "DELETE" })
        .then(() => stopped.resolve());
    };
    const { lab } = await openDrilledLab("careless", { onLabEvent });
    parts.lab = lab;
    const only: FaultName[] = ["callback.wrong_state", "callback.denied", "callback.wrong_iss"];
    await assertRejects(() => lab.drill({ start: `${origin}/` }, only), LabError, "was stopped");
    await stopped.promise;
    const { state, problem, accepted } = (await callLab(lab, "GET /drill")).json;
    assertEquals([state, accepted.length > 0], ["stopped", true]);
    assertMatch(problem, /^It was stopped after \d of 3 logins\.$/);
    assertEquals((await lab.drill({ start: `${origin}/` }, ["callback.denied"])).refused.length, 1);
    assertEquals(lab.faults.list(), []);
    await lab.close();
  });
});

describe("A drill of an application that ends", () => {
  it("stops, names the fault before, and keeps what it found", async () => {
    let isRunning = true;
    // Each request of the lab waits for it.
    const application: PromiseLike<void> = {
      then: (...handlers) =>
        (isRunning ? Promise.resolve() : Promise.reject(new Error("ECONNREFUSED")))
          .then(...handlers),
    };
    const onLabEvent = (event: LabEvent) => {
      if (event.type === "drill.advanced" && event.done === 1) isRunning = false;
    };
    const { lab } = await openDrilledLab("careless", { onLabEvent }, application);
    const only: FaultName[] = ["callback.wrong_state", "callback.denied", "callback.wrong_iss"];
    await assertRejects(
      () => lab.drill({ start: `${origin}/` }, only),
      LabError,
      "stopped responding after callback.wrong_state: http://localhost:3000/ cannot be reached",
    );
    const { state, outcomes } = (await callLab(lab, "GET /drill")).json;
    assertEquals([state, outcomes.length], ["stopped", 1]);
    await lab.close();
  });
});

describe("A drill (SSRF)", () => {
  for (const [what, start] of foreign) {
    it.withCarefulClient(`sends no request to ${what}`, async ({ lab, visited }) => {
      await assertRejects(() => lab.drill({ start }), LabError, "sends no request to");
      assertEquals(visited.filter((url) => !url.startsWith(`${origin}/`)), []);
      await lab.close();
    });
  }

  it("visits another host if the lab was told its origin", async () => {
    const drillOrigins = ["https://internal.example"];
    const { lab, visited } = await openDrilledLab("careful", { drillOrigins });
    const attempt = () => lab.drill({ start: "https://internal.example/none" });
    await assertRejects(attempt, LabError, "404");
    assertEquals(visited[0], "https://internal.example/none");
    await lab.close();
  });

  it("takes origins only", async () => {
    for (const entry of ["https://app.example/", "app.example", "ftp://app.example", ""]) {
      await assertRejects(() => hallpass({ drillOrigins: [entry] }), Error, "drillOrigins");
    }
  });
});

describe("POST /lab/drill", () => {
  it.withCarelessClient("responds with the result", async ({ lab }) => {
    const only = ["callback.wrong_state", "callback.denied"];
    const { json } = await callLab(lab, "POST /drill", { start: `${origin}/`, only });
    const { state, total, accepted, refused } = json;
    assertEquals([state, total, refused], ["finished", 2, ["callback.denied"]]);
    const [{ fault, expectation, rule, see, binds }] = accepted;
    assertEquals([fault, expectation, rule, see, binds], [
      ...["callback.wrong_state", "refuse", "should", "RFC 9700, section 2.1", "client"],
    ]);
    await lab.close();
  });

  it("responds with the problem if the login fails without a fault", async () => {
    const { lab } = await openDrilledLab("careful");
    const { status, json } = await callLab(lab, "POST /drill", {
      start: `${origin}/login`,
      check: `${origin}/none`,
    });
    assertEquals(status, 400);
    assertStringIncludes(json.error_description, "Cannot tell whether the login worked");
    const progress = (await callLab(lab, "GET /drill")).json;
    assertEquals([progress.state, progress.outcomes], ["stopped", []]);
    await lab.close();
  });

  it("responds at once if it is told not to wait, and shows the progress", async () => {
    const gate = createDeferred<void>();
    const finished = createDeferred<void>();
    const onLabEvent = (event: LabEvent) => {
      if (event.type === "drill.advanced" && event.state === "finished") finished.resolve();
    };
    const { lab } = await openDrilledLab("careful", { onLabEvent }, gate.promise);
    const body = { start: `${origin}/`, only: ["callback.denied"], wait: false };
    const { status, json } = await callLab(lab, "POST /drill", body);
    assertEquals([status, json.state], [202, "running"]);
    const again = await callLab(lab, "POST /drill", body);
    assertStringIncludes(again.json.error_description, "A drill is running.");
    gate.resolve();
    await finished.promise;
    const progress = (await callLab(lab, "GET /drill")).json;
    assertEquals([progress.state, progress.refused], ["finished", ["callback.denied"]]);
    await lab.close();
  });

  it.withCarelessClient("writes JUnit XML: accepted variants fail, and those that were not met are skipped", async ({ lab }) => {
    const only = ["callback.wrong_state", "callback.denied", "metadata.wrong_issuer"];
    const body = { start: `${origin}/`, only };
    const { json: xml } = await callLab(lab, "POST /drill?format=junit", body);
    assertStringIncludes(xml, 'tests="4" failures="1" errors="0" skipped="1"');
    assertStringIncludes(xml, 'type="callback.wrong_state">D callback.wrong_state: ');
    assertEquals(xml.includes("Received: the application"), false);
    assertEquals((await callLab(lab, "GET /drill?format=junit")).json, xml);
    await lab.close();
  });

  it("writes the problem that stopped it as a failure in JUnit XML", async () => {
    const { lab } = await openDrilledLab("careful");
    const body = { start: `${origin}/login`, check: `${origin}/public` };
    const { json: xml } = await callLab(lab, "POST /drill?format=junit", body);
    assertStringIncludes(xml, '<failure message="Cannot tell whether the login worked:');
    await lab.close();
  });

  it.withCarefulClient("forgets the last drill at a reset", async ({ lab }) => {
    await lab.drill({ start: `${origin}/` }, ["callback.denied"]);
    await lab.reset();
    assertEquals((await callLab(lab, "GET /drill")).json.state, "none");
    await lab.close();
  });
});
