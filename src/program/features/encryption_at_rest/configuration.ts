import type { ServerConfig } from "../../configuration/program_config.ts";

export function encryptsKeys({ secret }: ServerConfig): boolean {
  return secret !== undefined;
}
