/** Writes the guides for agents, from the documents for people. */
import { readFile } from "node:fs/promises";
import { withoutLinks } from "./markdown.ts";

/** The guides by their files, each with the document that it comes from. */
const guides: Readonly<Record<string, string>> = {
  "static/guides/testing_a_client.md": ".github/TESTING_A_CLIENT.md",
  "static/guides/testing_an_api.md": ".github/TESTING_AN_API.md",
  "static/guides/mcp.md": ".github/MCP.md",
};

/** Returns the guides by their files. A package has no other documents, so their links go. */
export async function guideFiles(): Promise<Record<string, string>> {
  const entries = Object.entries(guides).map(async ([file, document]) =>
    [file, withoutLinks(await readFile(document, "utf8"))] as const
  );
  return Object.fromEntries(await Promise.all(entries));
}
