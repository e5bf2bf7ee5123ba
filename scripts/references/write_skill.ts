/** Writes what tells an agent about Hallpass: an index (llms.txt), and a skill. */
import { commandGroups } from "../../src/program/commands.ts";
import { moduleOf } from "./module_of.ts";

type AgentTools = typeof import("../../src/lab/features/agents/agent_tools.ts");
type Operations = typeof import("../../src/lab/routes/operation_table.ts");
type Prompts = typeof import("../../src/lab/features/agents/prompts.ts");

const about =
  "Hallpass is an OAuth 2.1 and OpenID Connect server for tests of clients and APIs. It " +
  "runs on this machine, signs users in without a browser, and explains each refusal: the rule, " +
  "what was expected, what came, how to fix it.";

/** What the package has to read, by its files. */
const documents = {
  "README.md": "the first test, and what else there is",
  "guides/testing_a_client.md": "a guide by tasks: sign-in, time, faults, drills, CI",
  "guides/testing_an_api.md": "which forged tokens an API must refuse",
  "skills/hallpass/SKILL.md": "how an agent finds out why a sign-in fails",
};

/** Returns the index and the skill by their files. Without tools for agents, there is no skill. */
export async function agentFiles(): Promise<Record<string, string>> {
  const { agentTools } = await moduleOf<AgentTools>("lab/features/agents/agent_tools.ts");
  const { steps } = await moduleOf<Prompts>("lab/features/agents/prompts.ts");
  const { operations } = await moduleOf<Operations>("lab/routes/operation_table.ts");
  const skill = agentTools && operations && steps &&
    { "static/skill/SKILL.md": skillText(agentTools(operations), steps) };
  return { "static/index/llms.txt": indexText(), ...skill };
}

function indexText(): string {
  const links = Object.entries(documents).map(([file, what]) => `- [${file}](${file}): ${what}`);
  const commands = commandGroups.flatMap((group) => group.commands)
    .map(({ name, help }) => `- \`hallpass ${name}\`: ${help}`);
  return `# Hallpass

> ${about}

## Documents

${links.join("\n")}

## Commands

\`npx hallpass COMMAND --help\` lists the options of each.

${commands.join("\n")}
`;
}

function skillText(
  agentTools: ReturnType<AgentTools["agentTools"]>,
  steps: Prompts["steps"],
): string {
  const tools = agentTools.map(({ name, description }) => `- \`${name}\`: ${description}`);
  return `---
name: hallpass
description: Finds out why the OAuth or OpenID Connect sign-in of an application fails, and tests it, with a local server that needs no browser and no account. Use it for errors such as invalid_grant, invalid_redirect_uri or a rejected token, and before a login is called done.
---

# Hallpass

${about}

Start it as tools of the Model Context Protocol, on a fixed port so that the configuration of the
application stays valid:

\`\`\`sh
npx hallpass mcp --port 9000
\`\`\`

${steps}

## Tools

${tools.join("\n")}

## Without tools

A lab has the same over HTTP, below \`/lab\`, and its pages explain each flow:

\`\`\`sh
npx hallpass lab --port 9000 --sign-in alice
\`\`\`

Explain a rule, or a finding about an application or an API:

\`\`\`sh
npx hallpass explain code.redirect_uri
npx hallpass explain state-reused
\`\`\`
`;
}
