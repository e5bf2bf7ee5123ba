import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { failsAnyway } from "../../../../src/lab/features/verdicts/conclude.ts";
import { LabError } from "../../../../src/lab/testing/mod.ts";
import { drillPlanted, type PlantedDrill, type RespondToRequest } from "./drill_planted.ts";
import type { Weakness } from "./planted_weaknesses.ts";

type Disturb = (late: () => Promise<Response>) => Promise<Response>;

/** What an API, or what is in front of it, may do by chance. */
const disturbances: Readonly<Record<string, Disturb>> = {
  "is a 503": async () => new Response(null, { status: 503 }),
  "is a 429": async () => new Response(null, { status: 429 }),
  "shows a stack trace": async () =>
    new Response("Error\n    at check (/srv/api.js:12:7)", {
      status: 500,
    }),
  "never comes": (late) => late(),
  "is a closed connection": () => Promise.reject(new TypeError("connection reset")),
};

/** Replaces each nth response of an API. */
function everyNth(count: number, disturb: Disturb): NonNullable<PlantedDrill["around"]> {
  let requests = 0;
  return (respond, late) => (request) =>
    ++requests % count === 0 ? disturb(late) : respond(request);
}

/** Replaces some responses by refusals, from one request on. */
function refusesBetween(first: number, last: number): NonNullable<PlantedDrill["around"]> {
  let requests = 0;
  return (respond) => async (request) => {
    const isLocked = ++requests >= first && requests <= last;
    return isLocked ? new Response(null, { status: 401 }) : await respond(request);
  };
}

describe("A drill of an API that is disturbed", () => {
  for (const [what, disturb] of Object.entries(disturbances)) {
    for (const count of [3, 7]) {
      it(`finds what it would find otherwise: each response of ${count} ${what}`, async () => {
        const around = () => everyNth(count, disturb);
        const correct = await drillPlanted([], { around: around() });
        assertEquals([correct.grade, correct.findings], ["A", []]);
        const broken: Weakness[] = ["expired", "typ_text", "alg_None", "no_challenge"];
        const { findings } = await drillPlanted(broken, { around: around() });
        const ids = ["alg_none", "challenge", "expired", "typ"];
        assertEquals(findings.map(({ id }) => id).sort(), ids);
      });
    }
  }

  it("does not take refusals of a locked client for checks that passed", async () => {
    const broken: Weakness[] = ["expired", "wrong_issuer", "query"];
    const { findings, checks } = await drillPlanted(broken, { around: refusesBetween(20, 60) });
    assertEquals(findings.map(({ id }) => id).sort(), ["expired", "query"]);
    const untested = checks.filter(({ skipped }) => skipped === failsAnyway).map(({ id }) => id);
    assert(untested.includes("wrong_issuer"));
  });

  it("proves nothing where the client stays locked out", async () => {
    const drill = () => drillPlanted([], { around: refusesBetween(40, Infinity) });
    await assertRejects(drill, LabError, "may have locked");
  });

  it("stops where the API stops responding", async () => {
    const around = (respond: RespondToRequest): RespondToRequest => {
      let requests = 0;
      return (request) =>
        ++requests > 40 ? Promise.reject(new TypeError("connection refused")) : respond(request);
    };
    await assertRejects(() => drillPlanted([], { around }), LabError, "stopped responding");
  });

  it("does not test what gets no response, with the reason", async () => {
    const around: PlantedDrill["around"] = (respond, late) => (request) =>
      request.url.includes("access_token") ? late() : respond(request);
    const { findings, checks } = await drillPlanted([], { around });
    assertEquals(findings, []);
    const skipped = checks.find(({ id }) => id === "query")?.skipped ?? "";
    assertStringIncludes(skipped, "it did not respond within 10 seconds");
  });

  it("has no finding that shows once alone", async () => {
    const seen = new Set<string>();
    const around: PlantedDrill["around"] = (respond) => async (request) => {
      const response = await respond(request);
      const isFirst = !seen.has(`${response.status}`);
      seen.add(`${response.status}`);
      return response.status === 403 && isFirst ? new Response() : response;
    };
    const { findings, checks } = await drillPlanted([], { around });
    assertEquals(findings, []);
    const skipped = checks.filter(({ skipped }) => skipped?.startsWith("It went wrong once"));
    assertEquals(skipped.map(({ id }) => id), ["other_user"]);
  });
});

describe("A drill of an API that responds to anyone", () => {
  it("finds nothing where it shows something else to a user", async () => {
    const around: PlantedDrill["around"] = (respond) => async (request) => {
      const response = await respond(request);
      return response.ok ? response : Response.json({ signedIn: false });
    };
    const { findings } = await drillPlanted([], { around });
    assertEquals(findings, []);
    const broken = await drillPlanted(["expired"], { around });
    assertEquals(broken.findings.map(({ id }) => id), ["expired"]);
  });

  it("judges no token where it shows the same without one", async () => {
    const { findings, checks } = await drillPlanted(["no_token", "expired"]);
    assertEquals(findings.map(({ id }) => id), ["no_token"]);
    const reasonOf = (name: string) => checks.find(({ id }) => id === name)?.skipped;
    assertEquals(reasonOf("expired"), "The API responds alike without a token.");
    assertEquals(reasonOf("alg_none"), undefined);
  });
});

describe("Two checks of where tokens lead", () => {
  it("send these tokens once", async () => {
    const sent: number[] = [];
    for (const only of [["header_key"], ["header_key", "header_key_fetched"]]) {
      let count = 0;
      const around = (respond: RespondToRequest): RespondToRequest => (request) => {
        const [header] = request.headers.get("Authorization")?.match(/[\w-]{10,}/) ?? [];
        if (header && /"(jwk|jku|x5u|x5c)"/.test(atob(header))) count++;
        return respond(request);
      };
      await drillPlanted([], { around, only });
      sent.push(count);
    }
    assertEquals(sent, [8, 8]);
  });
});

describe("The times of refusals", () => {
  /** Drills an API on a busy machine, where each response takes up to this many milliseconds more. */
  async function timesOn(broken: readonly Weakness[], most: number) {
    let [requests, seed] = [0, 7];
    const around: PlantedDrill["around"] = (respond, _, pass) => (request) => {
      requests++;
      seed = seed * 48_271 % 0x7fffffff;
      pass(seed % (most + 1));
      return respond(request);
    };
    const { notes, checks } = await drillPlanted(broken, { around, only: ["timing"] });
    return { named: notes.map(({ id }) => id), note: checks[0]?.note, requests };
  }

  it("are compared in turns, so that a busy machine makes no difference", async () => {
    const { named, note } = await timesOn([], 300);
    assertEquals([named, note], [[], undefined]);
  });

  it("show a difference that is there each time", async () => {
    assertEquals((await timesOn(["slow"], 40)).named, ["timing"]);
  });

  it("are noted, and not judged, if they still vary after 40 turns", async () => {
    const { named, note, requests } = await timesOn(["slow"], 400);
    assertEquals(named, []);
    assertStringIncludes(note ?? "", "vary too much");
    // Each fifth one is a control.
    assert(requests < 40 * 3 * 1.3, String(requests));
  });
});
