import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { agentTools } from "../../../../src/lab/features/agents/agent_tools.ts";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import { commands } from "../../../../src/program/commands.ts";
import { runCommandLine, startCommandLine } from "../../../support/command_line.ts";
import { needs } from "../../../support/where_feature.ts";

const skill = readFileSync("static/skill/SKILL.md", "utf8");
const index = readFileSync("static/index/llms.txt", "utf8");

/** The command lines in the blocks of the skill, on free ports. */
const lines = [...skill.matchAll(/^```sh\n([^`]*)```/gm)]
  .flatMap(([, block = ""]) => block.trim().split("\n"))
  .map((line) => line.replace(/^npx hallpass /, "").replace(/--port \d+/, "--port 0").split(" "));

describe("The skill of an agent", () => {
  for (const line of lines) {
    // It explains a check of the report.
    const needed = line[0] === "explain" ? needs("report") : {};
    it(`has a command that runs: hallpass ${line.join(" ")}`, needed, async () => {
      if (line[0] !== "lab") return assertEquals((await runCommandLine(line)).code, 0);
      const lab = await startCommandLine(line);
      assertStringIncludes(lab.issuer, "http://localhost:");
      await lab.stop();
    });
  }

  it("names each tool, and no other", () => {
    const named = [...skill.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name);
    assertEquals(named, agentTools(operations).map(({ name }) => name));
  });
});

describe("The index of the package for agents", () => {
  it("names each command", () => {
    const named = [...index.matchAll(/^- `hallpass ([^`]+)`: /gm)].map(([, name]) => name);
    assertEquals(named, commands.map(({ name }) => name));
  });

  it("leads to files of the package", () => {
    const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
    const folders: Record<string, string> = {
      "guides/": "static/guides/",
      "skills/hallpass/": "static/skill/",
      "README.md": ".github/PACKAGE.md",
    };
    for (const file of linked) {
      const [start = ""] = Object.keys(folders).filter((each) => file.startsWith(each));
      readFileSync(file.replace(start, folders[start] ?? ""));
    }
    assertEquals(linked.length, 4);
  });
});
