import { fetchByOrigin } from "../../lab/handling/page_origin.ts";
import type { LabPowers } from "../../lab/lab_server/lab_config.ts";
import { labFileSchema } from "../../lab/util/lab_schema.ts";
import { guardedFetch } from "../../runtime/guarded_fetch.ts";
import { collectProblems } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import { settingsOf } from "../command_line/option.ts";
import type { LabFileConfig } from "../configuration/program_config.ts";
import type { ServerConfig } from "../configuration/setting_reader.ts";

/**
 * Lets a lab that only this machine can reach fetch the documents of clients under test from here,
 * but not for a page of another origin in some browser on this machine.
 */
export function withLabFetch(invocation: Invocation, server: ServerConfig): ServerConfig {
  const isLocal = !valueOf(invocation, "expose");
  const privateFetches = server.insecure?.privateFetches ?? isLocal;
  if (!privateFetches) return { fetchUntrusted: guardedFetch(), ...server };
  return {
    fetchUntrusted: fetchByOrigin(guardedFetch({ allowPrivate: true }), guardedFetch()),
    ...server,
    insecure: { ...server.insecure, privateFetches },
  };
}

/** Checks what a configuration file holds for a lab. Other commands take none of it anyway. */
export function checkLabConfig(lab: LabFileConfig): void {
  const problems = collectProblems();
  checkValue(labFileSchema, lab, "", problems.report);
  problems.throwAny("start the server");
}

/** Returns the powers that the command line gives a lab. */
export function labPowersOf({ values }: Invocation): LabPowers {
  return { ...settingsOf(labOptions, values), controlApart: values.has("lab-port") };
}
