import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import process from "node:process";
import { describe, it } from "node:test";
import onceFailed from "../../corpora/once_failed.json" with { type: "json" };
import { present } from "../../support/present.ts";
import { fuzzTarget } from "./fuzz_target.ts";
import { anyText } from "./generators/texts.ts";
import { htmlProblems } from "./html_problems.ts";
import { runTarget } from "./run_target.ts";
import { targets } from "./targets/all_targets.ts";

/** Always the same inputs here; `deno task fuzz` tries others. */
const seed = 1;

describe("deno task fuzz, in short", () => {
  for (const target of targets) {
    it(target.name, async () => {
      assertEquals(
        (await runTarget(target, { seed, maxInputs: target.inShort })).failure,
        undefined,
      );
    });
  }
});

describe("What once failed", () => {
  for (const { target: name, input } of onceFailed) {
    it(`${name}: ${JSON.stringify(input).slice(0, 100)}`, async () => {
      await present(targets.find((target) => target.name === name)).check(input);
    });
  }
});

describe("runTarget", () => {
  it("finds the smallest input that fails", async () => {
    const target = fuzzTarget("no text has a percent sign", fc.string(), (text) => {
      assert(!text.includes("%"));
    });
    const { failure } = await runTarget(target, { seed: 1, maxInputs: 1000 });
    assertEquals(failure?.input, "%");
  });

  it("finds an input that takes long", async () => {
    const target = fuzzTarget("nothing takes long", fc.constantFrom("quick", "slow"), (text) => {
      const end = process.cpuUsage().user + 50_000;
      while (text === "slow" && process.cpuUsage().user < end) continue;
    });
    const options = { seed: 1, maxInputs: 100, maxMilliseconds: 20 };
    const { failure } = await runTarget(target, options);
    assertEquals(failure?.input, "slow");
  });

  it("finds promises that are rejected without anyone noticing", async () => {
    const target = fuzzTarget("nothing is rejected", anyText, () => {
      void Promise.reject(new Error("Nobody noticed."));
    });
    const { failure } = await runTarget(target, { seed: 1, maxInputs: 2 });
    assert(failure?.problem.includes("Nobody noticed."), failure?.problem);
  });
});

describe("htmlProblems", () => {
  const pages: Array<[html: string, problems: string[]]> = [
    ['<p id="a">&lt;hpfuzz&gt; <a href="/x">x</a>', []],
    ['<script src="/static/copy.0123abc.js" defer></script>', []],
    ["<p><hpfuzz>", ["<hpfuzz>: an element that was injected"]],
    ['<input value="" hpfuzz="">', ["<input>: an attribute that was injected"]],
    ["<img src=x onerror=alert(1)>", ["<img>: an inline handler or style"]],
    ["<script>alert(1)</script>", ["<script>: a script of somebody else"]],
    ['<a href=" java\nscript:alert(1)">x</a>', ["<a>: a URL that runs something"]],
    ['<base href="https://evil.example">', ["<base>: an element that pages never have"]],
  ];
  for (const [html, problems] of pages) {
    it(`finds ${problems.join() || "nothing"} in ${html}`, () => {
      assertEquals(htmlProblems(html), problems);
    });
  }
});
