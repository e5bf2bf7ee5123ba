/**
 * Builds the playground, a lab in a browser tab: static files for any host, at the root or below a
 * path.
 *
 *   deno task playground [FOLDER] [--serve] [--port N]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { serveFiles, writeFiles } from "./built_files.ts";
import { buildPlayground } from "./playground/build_playground.ts";

const usage = `Usage: npx -y deno task playground [FOLDER] [OPTIONS]

Builds the playground, a lab in a browser tab, in FOLDER (default dist/playground).

  --serve   serves it on this machine
  --port N  the port for --serve (default: a free one)
  --help    prints this`;

/** Reads the command line, or returns in one sentence what is wrong with it. */
function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        serve: { type: "boolean", default: false },
        port: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    const [folder = "dist/playground", ...more] = positionals;
    const port = Number(values.port ?? 0);
    if (more.length > 0) return "There can be only one folder.";
    if (!(port <= 65_535)) return `--port must be a number up to 65535, not '${values.port}'.`;
    if (values.port !== undefined && !values.serve) return "--port needs --serve.";
    return { ...values, port, folder };
  } catch (cause) {
    // What follows the first sentence says how to pass a file whose name begins with a dash.
    const [sentence] = (cause as Error).message.split(/\. |\n/);
    return `${sentence?.replace(/\.$/, "")}.`;
  }
}

async function main(): Promise<void> {
  const asked = readCommandLine();
  if (typeof asked === "string") {
    console.error(asked);
    process.exitCode = 2;
    return;
  }
  if (asked.help) return console.log(usage);
  const { folder } = asked;
  const files = await buildPlayground();
  await writeFiles(folder, files);
  console.log(`Built the playground in ${folder}. Any host of static files serves it.`);
  if (asked.serve) {
    const { port } = await serveFiles(files, "/", asked.port);
    console.log(`Open http://localhost:${port}/`);
  } else {
    console.log("To look at it here: npx -y deno task playground --serve");
  }
}

await main();
