import published from "../../../static/published.json" with { type: "json" };
import { version } from "../../runtime/version.ts";

/** The version that registries have; empty before the first release. */
export const publishedVersion: string = published.version;

/** Returns how a project gets the package: from a registry, or before the first release from a clone. */
export function installLine(last: string = publishedVersion): string {
  if (last !== "") return "npm install --save-dev hallpass, or deno add jsr:@hallpass/hallpass";
  const archive = `PATH/TO/hallpass/dist/hallpass-${version}.tgz`;
  return `npx -y deno task build in a clone; in your project, npm install --save-dev ${archive}`;
}
