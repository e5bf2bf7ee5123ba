import type { Server } from "../server.ts";

/** What the operator of a server should know, said once at the start. */
export function warnings(server: Server, lasting: boolean): string[] {
  const { secret, alg } = server.context.config;
  const isLab = server.context.config.notice !== undefined;
  if (isLab) return [];
  return [
    ...!lasting ? ["The store is this process's memory: a restart forgets everything. Use --store sqlite:PATH."] : [],
    ...lasting && !secret
      ? ["The store holds the signing keys in the clear. Set HALLPASS_SECRET to seal them: openssl rand -base64 32"]
      : [],
    ..."Deno" in globalThis && alg !== "EdDSA"
      ? [`On Deno, ${alg} signs many times slower than EdDSA; where your clients allow it, use --alg EdDSA.`]
      : [],
  ];
}
