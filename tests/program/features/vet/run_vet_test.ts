import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { isBinding } from "../../../../src/lab/features/drill/variants/drill_variant.ts";
import {
  drillVariants,
  mcpVariantsFor,
} from "../../../../src/lab/features/drill/variants/variants.ts";
import type { FaultName } from "../../../../src/lab/features/faults/catalogue.ts";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import type { VetResult } from "../../../../src/program/features/vet/result/vet_result.ts";
import { runVet } from "../../../../src/program/features/vet/runs/run_vet.ts";
import { VetError } from "../../../../src/program/features/vet/runs/suite_runner.ts";
import { vetVariants } from "../../../../src/program/features/vet/runs/vet_variants.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";
import { allRoundLab, carelessLogin } from "../../../support/all_round_client.ts";
import { login } from "../../../support/login.ts";
import { connectMcp } from "../../../support/mcp_client.ts";
import { needs } from "../../../support/where_feature.ts";
import { type SuiteLab, suiteOf, toSuiteLab } from "./vetted_suite.ts";

const state = "callback.wrong_state";
const issuer = "metadata.wrong_issuer";
const noState = "callback.without_state";
const only: readonly FaultName[] = [issuer, state, noState, "id_token.alg_none"];

/** A lab as a client sees it that puts back what a server should have sent. */
function tolerant(lab: SuiteLab): Pick<SuiteLab, "issuer" | "fetch" | "authorize"> {
  return {
    issuer: lab.issuer,
    async authorize(url, actions) {
      const result = await lab.authorize(url, actions);
      const callback = new URL(result.callback);
      const state = new URL(url).searchParams.get("state") ?? "";
      if (!callback.searchParams.has("state")) callback.searchParams.set("state", state);
      return { ...result, callback: callback.href };
    },
    async fetch(input, init) {
      const response = await lab.fetch(input, init);
      if (!String(input).includes("/.well-known/")) return response;
      return Response.json({ ...await response.json(), issuer: lab.issuer }, response);
    },
  };
}

/** A suite that uses everything, and waits until its application got a logout token. */
async function careless(lab: SuiteLab): Promise<void> {
  await carelessLogin(lab as unknown as TestLab);
  await lab.context.background.idle();
}

function faultsWith(outcome: string, { outcomes }: VetResult): string[] {
  return outcomes.filter((each) => each.outcome === outcome).map(({ fault }) => fault);
}

describe("vet", () => {
  it("finds exactly what a client tolerates, and that its tests notice every other attack that they meet", async () => {
    const { noticed, total, findings } = await runVet(suiteOf((lab) => login(tolerant(lab))));
    assert(total > 15);
    assertEquals(findings.map(({ id }) => id), [issuer, noState]);
    assertEquals(noticed, total - findings.length);
  });

  it("finds the same in two runs at once, and nothing in tests that notice it", async () => {
    const suite = { ...suiteOf((lab) => login(tolerant(lab))), only };
    const careful = { ...suiteOf((lab) => login(lab)), only };
    const all = await Promise.all([runVet(suite), runVet(suite), runVet(careful)]);
    assertEquals(all.map(({ noticed, total }) => [noticed, total]), [[2, 4], [2, 4], [4, 4]]);
    const found = all.map(({ findings }) => findings.map(({ id }) => id));
    assertEquals(found, [[issuer, noState], [issuer, noState], []]);
  });

  it("tells what a client refuses without a test apart from what it accepts", async () => {
    const suite = suiteOf(async (lab, { timeout }) => {
      const attempt = login(tolerant(lab));
      // Only the first run, which has no limit yet, looks at the result.
      await (timeout === undefined ? attempt : attempt.catch(() => {}));
    });
    const result = await runVet({ ...suite, only });
    assertEquals(faultsWith("accepted", result), [issuer, noState]);
    assertEquals(faultsWith("refused", result), [state, "id_token.alg_none"]);
    assertEquals([result.noticed, result.total], [0, 4]);
  });

  it("meets the whole catalogue in the traffic of a client that uses everything", async () => {
    const result = await runVet(suiteOf(careless, allRoundLab));
    const login: string[] = drillVariants.map(({ fault }) => fault);
    // It has no DPoP, no max_age and no secret, and sends one request at a time.
    assertEquals(faultsWith("unmet", result).filter((fault) => login.includes(fault)), [
      ...["token.bearer_for_dpop", "id_token.old_auth_time", "id_token.hs256_with_secret"],
      ...["token.held", "refresh.held"],
    ]);
    assertEquals(faultsWith("unstable", result), []);
    assertEquals(faultsWith("refused", result), []);
  });

  it("tries what MCP clients meet, in the traffic of one", needs("mcp"), async () => {
    const variants = mcpVariantsFor([]).filter(({ recovers = false }) => !recovers);
    const only: readonly FaultName[] = variants.map(({ fault }) => fault);
    const care = { checks: false, maxStepUps: 2, applicationType: "native" };
    const result = await runVet({
      ...suiteOf((lab) => connectMcp(lab as unknown as TestLab, care)),
      only,
    });
    const hostile = vetVariants.filter((each) =>
      only.includes(each.fault) && each.expectation === "refuse" && isBinding(each)
    );
    assertEquals(faultsWith("noticed", result), ["mcp.endless_step_up"]);
    assertEquals(
      new Set(result.findings.map(({ id }) => id)),
      new Set(hostile.map(({ fault }) => fault)),
    );
  });

  it("sees by its response whether an application accepts a logout token", async () => {
    const refusing = { ...allRoundLab, fetch: async () => new Response(null, { status: 400 }) };
    const token: readonly FaultName[] = ["logout_token.alg_none"];
    const [accepted, refused] = await Promise.all([
      runVet({ ...suiteOf(careless, allRoundLab), only: token }),
      runVet({ ...suiteOf(careless, refusing), only: token }),
    ]);
    assertEquals<unknown>(faultsWith("accepted", accepted), token);
    assertEquals<unknown>(faultsWith("refused", refused), token);
  });

  it("runs a suite only under what its traffic can meet", async () => {
    const suite = suiteOf((lab) => lab.fetch(`${lab.issuer}/.well-known/openid-configuration`));
    const result = await runVet(suite);
    const met = ["metadata.wrong_issuer", "metadata.mtls_endpoint_aliases"];
    assertEquals(faultsWith("accepted", result), met);
    assertEquals(suite.runs(), 1 + met.length);
  });

  it("runs a suite once more at the end if a test noticed something", async () => {
    const suite = suiteOf((lab) => login(lab));
    await runVet({ ...suite, only });
    assertEquals(suite.runs(), 1 + only.length + 1);
  });

  it("keeps its fault through a reset, in tenants, and out of the lists of the suite", async () => {
    const suite = suiteOf(async (lab) => {
      await lab.reset();
      assertEquals([lab.faults.list(), lab.faults.idle()], [[], []]);
      await login(toSuiteLab(await lab.tenant()));
    });
    const { noticed, total } = await runVet({ ...suite, only });
    assertEquals([noticed, total], [only.length, only.length]);
  });

  it("does not mistake a suite that handles its own faults", async () => {
    const suite = suiteOf(async (lab) => {
      using _fault = lab.fault("token.server_error");
      await assertRejects(() => login(lab));
    });
    const result = await runVet({ ...suite, only: ["token.malformed_json"] });
    assertEquals(faultsWith("unmet", result), ["token.malformed_json"]);
  });

  it("leaves a signature broken that a test breaks itself", async () => {
    const suite = suiteOf(async (lab) => {
      for (const name of ["id_token.foreign_signature", "id_token.alg_none"] as const) {
        using _fault = lab.fault(name);
        await assertRejects(() => login(lab));
        assertEquals(lab.faults.idle(), []);
      }
    });
    const valid: readonly FaultName[] = ["id_token.aud_in_array", "jwks.single_without_kid"];
    const hostile: readonly FaultName[] = ["id_token.wrong_azp", "id_token.foreign_signature"];
    const result = await runVet({ ...suite, only: [...valid, ...hostile] });
    assertEquals(faultsWith("noticed", result), []);
  });
});

describe("The jobs of vet", () => {
  it("run at the same time, each with a lab of its own", async () => {
    const labs = new Set<SuiteLab>();
    const met = createDeferred<void>();
    const suite = suiteOf(async (lab, { timeout }) => {
      if (timeout !== undefined && labs.add(lab).size === 2) met.resolve();
      if (timeout !== undefined) await met.promise;
      await login(lab);
    });
    const { noticed } = await runVet({ ...suite, only, jobs: 2 });
    assertEquals(noticed, only.length);
  });

  it("have numbers, and one never runs twice at a time", async () => {
    const running = new Set<number>();
    const seen = new Set<number>();
    const suite = suiteOf(async (lab, { job }) => {
      assert(!running.has(job));
      seen.add(job);
      running.add(job);
      await login(lab).finally(() => running.delete(job));
    });
    await runVet({ ...suite, only, jobs: 3 });
    assertEquals([...seen].sort(), [1, 2, 3]);
  });

  it("end together when they are stopped", async () => {
    const stop = new AbortController();
    const suite = suiteOf(async (lab, { timeout }) => {
      if (timeout !== undefined) stop.abort(new VetError("stopped", "Stopped."));
      await login(lab);
    });
    const running = runVet({ ...suite, jobs: 2, signal: stop.signal });
    await assertRejects(() => running, VetError, "Stopped.");
    assert(suite.runs() <= 3);
  });
});

describe("A suite that cannot be vetted", () => {
  async function problemOf(suite: ReturnType<typeof suiteOf>): Promise<string> {
    const error = await assertRejects(() => runVet({ ...suite, only }), VetError);
    return (error as VetError).problem;
  }

  it("fails without any fault", async () => {
    assertEquals(await problemOf(suiteOf(() => Promise.reject(new Error()))), "suite_fails");
  });

  it("sends nothing to the lab", async () => {
    assertEquals(await problemOf(suiteOf(() => Promise.resolve())), "no_traffic");
  });

  it("passes once and fails once, which the last run shows", async () => {
    let runs = 0;
    const suite = suiteOf(async (lab) => {
      await login(lab);
      if (++runs > 1) throw new Error("It fails every time but the first.");
    });
    assertEquals(await problemOf(suite), "runs_differ");
  });

  it("fails before the lab has changed anything, which a run without a fault shows", async () => {
    let runs = 0;
    const suite = suiteOf((lab) => ++runs > 1 ? Promise.reject(new Error()) : login(lab));
    assertEquals(await problemOf(suite), "runs_differ");
    assertEquals(suite.runs(), 3);
  });
});

describe("A run that fails for another reason", () => {
  /** A suite that fails before it sends anything, in these runs. */
  function failingIn(runs: readonly number[]): ReturnType<typeof suiteOf> {
    let run = 0;
    return suiteOf((lab) => runs.includes(++run) ? Promise.reject(new Error()) : login(lab));
  }

  it("is repeated once the suite has passed without a fault", async () => {
    const suite = failingIn([2]);
    const result = await runVet({ ...suite, only: [state] });
    assertEquals([faultsWith("noticed", result), suite.runs()], [[state], 5]);
  });

  it("shows nothing if the repetition fails as well", async () => {
    const result = await runVet({ ...failingIn([2, 4]), only: [state] });
    assertEquals([faultsWith("unstable", result), result.total], [[state], 0]);
  });

  it("is repeated three times at most", async () => {
    const every = (lab: SuiteLab, { timeout }: { timeout: number | undefined }) =>
      timeout === undefined || isPlain ? login(lab) : Promise.reject(new Error());
    let isPlain = true;
    const suite = suiteOf(every);
    const open: typeof suite.open = (probe, job) => {
      isPlain = probe.faults.length === 0;
      return suite.open(probe, job);
    };
    const result = await runVet({ ...suite, open, only });
    assertEquals(faultsWith("unstable", result), [...only]);
    assertEquals(suite.runs(), 1 + only.length + 2 * 3);
  });
});
