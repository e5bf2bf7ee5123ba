import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { succeed } from "../child.ts";
import { datedChangelog } from "./release_notes.ts";
import { missingFor, readSituation } from "./requirements.ts";

/** Makes the commit of a version, from which its tag starts the workflow; returns what hinders it. */
export async function prepareRelease(version: string, day: Date): Promise<string[]> {
  const situation = await readSituation();
  const tag = `v${version}`;
  // The rest follows from this commit.
  const changelog = datedChangelog(situation.changelog, version, day);
  const missing = missingFor({
    ...situation,
    version,
    published: version,
    changelog,
    tags: [tag],
    environment: {},
  });
  if (missing.length > 0) return missing;
  await succeed([process.execPath, "task", "api"]);
  const message = `Release ${version}`;
  await edit("deno.json", /(?<="version": ")[^"]+/, version);
  await writeFile("static/published.json", `${JSON.stringify({ version })}\n`);
  await writeFile(".github/CHANGELOG.md", changelog);
  await succeed([process.execPath, "fmt", "--quiet", "static/published.json"]);
  await succeed([process.execPath, "task", "generate"]);
  await succeed(["git", "commit", "--quiet", "--all", "--allow-empty", "--message", message]);
  await succeed(["git", "tag", "--annotate", tag, "--message", message]);
  return [];
}

async function edit(path: string, pattern: RegExp, text: string): Promise<void> {
  await writeFile(path, (await readFile(path, "utf8")).replace(pattern, () => text));
}
