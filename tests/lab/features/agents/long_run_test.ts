import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { CoreLab } from "../../../../src/lab/core/core_lab.ts";
import type {
  AgentResult,
  AgentTool,
  AgentWay,
} from "../../../../src/lab/features/agents/agent_tool.ts";
import { agentTimeout, runTool } from "../../../../src/lab/features/agents/run_tool.ts";
import { createDeferred } from "../../../../src/server/util/time/promises.ts";

/** Opens a tool that ends when the test says so. A call of it waits no longer than the test does. */
function openLongTool() {
  const runs: Array<ReturnType<typeof createDeferred<AgentResult>>> = [];
  const ways: AgentWay[] = [];
  const tool: AgentTool = {
    name: "drill_all",
    description: "",
    body: { name: "AppDrillCall" },
    run(_lab, _args, way) {
      ways.push(way);
      runs.push(createDeferred());
      return runs.at(-1)!.promise;
    },
  };
  const waits = { timeout: 0 };
  const lab = { longRuns: new Map() } as unknown as CoreLab;
  const progress: number[] = [];
  const call = async (args: object = {}) => {
    const onProgress = (done: number) => void progress.push(done);
    const way = { onProgress } as unknown as AgentWay;
    const result = await runTool(lab, tool, { ...args }, way, waits.timeout);
    const { content: [{ text }], ...others } = result as { content: [{ text: string }] };
    return { text, ...others };
  };
  return { runs, ways, waits, call, progress };
}

describe("A tool that takes longer than an agent waits", () => {
  it("says how far it is, and reports its progress to the call that waits", async () => {
    const { ways, call, progress } = openLongTool();
    const first = call();
    await Promise.resolve();
    await Promise.resolve();
    ways[0]?.onProgress(39, 93);
    await first;
    // The response is sent, so its stream is closed.
    ways[0]?.onProgress(40, 93);
    const second = call();
    ways[0]?.onProgress(41, 93);
    assertStringIncludes((await second).text, "drill_all is running, 41 of 93. Call it again");
    assertEquals(progress, [39, 41]);
  });

  it("has one run for the same arguments, and its result for the next call", async () => {
    const { runs, waits, call } = openLongTool();
    await call({ start: "a" });
    runs[0]?.resolve({ rows: ["Done."], value: { clean: true } });
    waits.timeout = agentTimeout;
    assertEquals((await call({ start: "a" })).text, "Done.");
    waits.timeout = 0;
    await call({ start: "a" });
    await call({ start: "b" });
    assertEquals(runs.length, 3);
  });

  it("responds before the official SDKs give up, which is after a minute", () => {
    assert(agentTimeout < 60_000);
  });

  it("fails as late as its run does", async () => {
    const { runs, waits, call } = openLongTool();
    await call();
    runs[0]?.reject(new Error("The login failed."));
    waits.timeout = agentTimeout;
    assertEquals(await call(), { text: "The login failed.", isError: true } as object);
    waits.timeout = 0;
    await call();
    assertEquals(runs.length, 2);
  });
});
