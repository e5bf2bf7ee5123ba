/**
 * Builds the playground, a lab in a browser tab: static files for any host, at the root or below a
 * path.
 *
 *   deno task playground [FOLDER] [--serve] [--port N]
 */
import { buildFiles } from "./built_files.ts";
import { buildPlayground } from "./playground/build_playground.ts";

await buildFiles("playground", buildPlayground);
