// Serves the application by hand in a process of its own: served_site.ts ISSUER PORT [BUG]
import process from "node:process";
import { Site, usual } from "../broken/site.ts";
import { applicationBugs } from "../bugs.ts";

const [issuer = "", port, name] = process.argv.slice(2);
const bug = applicationBugs.find(({ bug }) => bug === name);
const site = new Site({
  issuer,
  origin: `http://localhost:${port}`,
  now: Date.now,
  configuration: { ...usual, ...bug?.configuration },
  fetch,
});
Object.assign(site, bug?.change(site));

Deno.serve({ port: Number(port), hostname: "localhost" }, (request) => site.respond(request));
