import process from "node:process";

/** The floor of a compiled program: a server that has one answer. */
declare const Bun: { serve(options: { port: number; fetch: () => Response }): unknown };

Bun.serve({ port: Number(process.argv[2]), fetch: () => new Response("{}") });
