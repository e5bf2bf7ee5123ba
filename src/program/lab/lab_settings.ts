import { labTokenProblem } from "../../lab/control/lab_access.ts";
import { fetchByOrigin } from "../../lab/handling/page_origin.ts";
import type { LabPowers } from "../../lab/lab_config.ts";
import { labFileSchema } from "../../lab/util/lab_schema.ts";
import { guardedFetch } from "../../runtime/guarded_fetch.ts";
import { collectProblems } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { type Invocation, settingsOf, valueOf } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import type { LabFileConfig, ServerConfig } from "../configuration/program_config.ts";
import { UsageError } from "../terminal/exit_code.ts";

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

/** Returns the powers that the command line gives a lab. */
export function labPowersOf({ values }: Invocation): LabPowers {
  return { ...settingsOf(labOptions, values), controlApart: values.has("lab-port") };
}

/** Checks what a configuration file holds for a lab. Other commands take none of it anyway. */
export function checkLabConfig(lab: LabFileConfig): void {
  const problems = collectProblems();
  checkValue(labFileSchema, lab, "", problems.report);
  problems.throwAny("start the server");
}

/** Prevents a lab, which signs in anyone, from being reachable from a network by accident. */
export function checkExposure(invocation: Invocation, hostname: string): void {
  const expose = valueOf(invocation, "expose");
  const labToken = valueOf(invocation, "lab-token");
  if (!isLoopbackHost(hostname) && !expose) {
    throw new UsageError(
      `On ${hostname}, other machines could reach this lab and sign in as any user. If you want ` +
        "that, add --expose and --lab-token TOKEN.",
    );
  }
  if (expose && !labToken) {
    throw new UsageError("--expose needs --lab-token TOKEN, which protects /lab.");
  }
  const problem = labToken && labTokenProblem(labToken);
  if (problem) throw new UsageError(`--lab-token ${problem}`);
}
