import type { Call } from "./command.ts";
import type { Running } from "./start.ts";

/** What the operator of a server should know, said once at the start. */
export function warnings({ command, values }: Call, { server }: Running): string[] {
  if (command !== "serve") return [];
  const { secret, alg, store, clients } = server.context.settings;
  const isMemory = (values.get("store")?.at(-1) ?? store.name) === "memory";
  return [
    ...isMemory ? ["The store is this process's memory: a restart forgets everything. Use --store sqlite:PATH."] : [],
    ...!isMemory && !secret
      ? ["The store holds the signing keys in the clear. Set HALLPASS_SECRET to seal them: openssl rand -base64 32"]
      : [],
    ..."Deno" in globalThis && alg !== "EdDSA"
      ? [`On Deno, ${alg} signs many times slower than EdDSA; where your clients allow it, use --alg EdDSA.`]
      : [],
    ...clients.size === 0 ? ["The configuration has no clients."] : [],
  ];
}
