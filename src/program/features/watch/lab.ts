import type { Lab } from "../../../lab/lab.ts";
import { fixedSettings } from "../../../lab/lab_server/json_settings.ts";
import {
  type Configuration,
  hostOf,
  readConfiguration,
} from "../../configuration/configuration.ts";
import { checkSecretsPresent } from "../../configuration/secret_variables.ts";
import { checkLabConfig, withLabFetch } from "../../lab/lab_settings.ts";
import { labRenewal, planSettings } from "../../lab/prepare_lab.ts";
import type { AccompaniedServer, Companion } from "../../operate/companion.ts";
import { followIfAsked, isOfEveryStart } from "./operate/follow_configuration.ts";

/** Follows the configuration of a lab, which stays, with all that it has recorded. */
export const followInLab: Companion<Lab> = (lab) =>
  followIfAsked(lab, {
    isOfStart: (name) => isOfLabStart(name) || playsProviders(lab),
    read: () => readAgain(lab),
    replace: (next) => renew(lab, next),
  });

/** Each provider has its own settings, from its start on. */
function playsProviders({ running }: AccompaniedServer<Lab>): boolean {
  return Reflect.get(running.server.settings.config(), "providers") !== undefined;
}

function isOfLabStart(name: string): boolean {
  return isOfEveryStart(name) || name in fixedSettings;
}

async function readAgain(
  { invocation, terminal }: AccompaniedServer<Lab>,
): Promise<Configuration> {
  const next = await readConfiguration(invocation, terminal.environment, true);
  checkSecretsPresent(next);
  checkLabConfig(next.lab);
  return next;
}

async function renew(
  { invocation, running }: AccompaniedServer<Lab>,
  next: Configuration,
): Promise<void> {
  const { lab } = await planSettings(invocation, {
    lab: next.lab,
    issuer: next.server.issuer,
    hostname: hostOf(invocation, next),
  });
  const configuration = { ...next, server: withLabFetch(invocation, next.server), lab };
  await running.replace(labRenewal(running.server, invocation, configuration));
}
