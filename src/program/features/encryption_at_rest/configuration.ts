import type { ServerConfig } from "../../configuration/program_config.ts";

/** Whether the store of a server has its keys encrypted. */
export function encryptsKeys({ secret }: ServerConfig): boolean {
  return secret !== undefined;
}
