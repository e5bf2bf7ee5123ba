/**
 * An npm registry that knows only what is published to it, for rehearsals of a release. It prints
 * its port, and keeps everything in the folder that it is given.
 *
 *   node registry.mjs FOLDER
 */
import { join } from "node:path";
import process from "node:process";
import { runServer } from "verdaccio";

const [, , folder = ""] = process.argv;
const everyone = { access: "$all", publish: "$all", unpublish: "$all" };

const server = await runServer({
  self_path: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
  uplinks: {},
  packages: { "@*/*": everyone, "**": everyone },
  web: { enable: false },
  log: { type: "stdout", format: "pretty", level: "error" },
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
