import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { toMermaid } from "../../flows/mermaid.ts";
import { invalidParams } from "../../rpc/rpc_methods.ts";
import { explainRule } from "./explain_rule.ts";
import { listOwnFlows } from "./own_flows.ts";

const scheme = "hallpass://";
const markdown = "text/markdown";
const mermaid = "text/vnd.mermaid";

/** Older flows have the same form of URI. */
const maxFlows = 20;

/** The guides, by the last part of their URIs. */
const guides = [
  { name: "testing-a-client", title: "Testing a client", text: async () => (await load()).client },
  { name: "testing-an-api", title: "Testing an API", text: async () => (await load()).api },
  { name: "mcp", title: "Model Context Protocol", text: async () => (await load()).mcp },
];

/** Most agents read no guide. */
const load = () => import("./guides.ts");

export const resourceTemplates = [
  {
    uriTemplate: `${scheme}flows/{id}`,
    name: "flow",
    title: "A flow as a Mermaid diagram",
    mimeType: mermaid,
  },
  {
    uriTemplate: `${scheme}rules/{id}`,
    name: "rule",
    title: "A rule, how to keep it, and the section that requires it",
    mimeType: "text/plain",
  },
];

/** Lists the guides and the newest flows. */
export function listResources(lab: CoreLab): object[] {
  const { flows } = listOwnFlows(lab);
  return [
    ...guides.map(({ name, title }) => ({
      uri: `${scheme}guides/${name}`,
      name,
      title,
      mimeType: markdown,
    })),
    ...flows.slice(0, maxFlows).map((flow) => ({
      uri: `${scheme}flows/${flow.id}`,
      name: flow.id,
      title: nameFlow(flow),
      mimeType: mermaid,
    })),
  ];
}

export async function readResource(lab: CoreLab, uri: string): Promise<object> {
  const [, kind, id = ""] = /^hallpass:\/\/(guides|flows|rules)\/([\w.-]+)$/.exec(uri) ?? [];
  try {
    switch (kind) {
      case "guides": {
        const guide = guides.find(({ name }) => name === id);
        if (guide) return contentsOf(uri, markdown, await guide.text());
        break;
      }
      case "flows":
        return contentsOf(uri, mermaid, drawFlow(lab, id));
      case "rules":
        return contentsOf(uri, "text/plain", (await explainRule(id)).rows.join("\n"));
    }
  } catch {
    // An unknown flow or rule gets the same error as an unknown kind of resource.
  }
  throw invalidParams(
    `There is no resource '${uri}'. There are ${scheme}flows/flow-1, ${scheme}rules/RULE and ` +
      guides.map(({ name }) => `${scheme}guides/${name}`).join(", "),
    { uri },
  );
}

function contentsOf(uri: string, mimeType: string, text: string): object {
  return { contents: [{ uri, mimeType, text }] };
}

function drawFlow(lab: CoreLab, id: string): string {
  const source = requireFlowSource(lab, id);
  return toMermaid(describeFlow(source, source.exchanges, lab.issuer));
}
