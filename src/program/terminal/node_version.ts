import { UsageError } from "./exit_code.ts";

/**
 * Rejects versions of Node that lack `node:sqlite`. They can still print help.
 *
 * @throws {UsageError} A command needs a later version.
 */
export function checkNodeVersion(
  command: string,
  { versions, script = "hallpass" }: {
    versions: { node?: string | undefined; bun?: string | undefined; deno?: string | undefined };
    script: string | undefined;
  },
): void {
  const { node = "", bun, deno } = versions;
  if (bun || deno) return;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  throw new UsageError(
    `hallpass ${command} needs Node 22.13 or later; this is ${node}. Without installing one: ` +
      `npx -y node@24 ${script} ${command}, or with Bun: bunx --bun hallpass ${command}`,
  );
}
