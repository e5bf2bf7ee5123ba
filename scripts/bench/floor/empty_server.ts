import process from "node:process";

/** The floor of a program: a server of Bun or Deno that has one answer. */
declare const Bun: { serve(options: { port: number; fetch: () => Response }): unknown };

const port = Number(process.argv[2]);
const respond = () => new Response("{}");

if (typeof Bun === "undefined") Deno.serve({ port }, respond);
else Bun.serve({ port, fetch: respond });
