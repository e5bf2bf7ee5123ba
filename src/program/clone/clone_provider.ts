import type { PresetFile } from "../../lab/lab_server/preset_file.ts";
import type { ReadMetadata } from "../metadata/provider_metadata.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { presetOf, type SourceFacts } from "./found_fact.ts";
import { findInLogin } from "./login_facts.ts";
import { findInMetadata } from "./metadata_facts.ts";
import { presetNameFor } from "./preset_name.ts";
import { readRecordedLogin, type RecordedLogin } from "./recorded_login.ts";
import { recordedSecrets } from "./recorded_secrets.ts";
import { unknownNotes } from "./unknown_notes.ts";

/** What is known of a provider to clone. */
export interface CloneSources {
  metadata?: ReadMetadata | undefined;
  /** A recording of a login, as a HAR. */
  har?: Readonly<Record<string, unknown>> | undefined;
  /** The name of the preset. By default, the host decides. */
  name?: string | undefined;
  /** The date of today. */
  date: string;
}

const stricter = ["The lab checks requests as it always does, except where a fact above is laxer."];

/**
 * Makes a preset of what a provider publishes, and of a recorded login. Of the recording, only
 * facts are taken over.
 *
 * @throws {UsageError} The recording has neither metadata nor a login.
 */
export function cloneProvider({ metadata: given, har, name, date }: CloneSources): PresetFile {
  const login = har && readRecordedLogin(har, date, given);
  const metadata = given ?? login?.metadata;
  const origin = metadata ? originOf(metadata.document.issuer) : login?.origin;
  if (origin === undefined) {
    throw new UsageError("The recording has neither metadata nor a login: no request is OAuth's.");
  }
  if (login && given && login.origin === undefined) {
    throw new UsageError(`The recording has no login at ${given.document.issuer}.`);
  }
  const findings = [
    ...metadata ? [withoutContradictions(findInMetadata(metadata), login)] : [],
    ...login ? [findInLogin(login, origin, date)] : [],
  ];
  const { host } = new URL(origin);
  const notes = [
    ...metadata ? [] : ["The metadata: it is that of the lab."],
    ...unknownNotes(login),
  ];
  const preset = presetOf(name ?? presetNameFor(host), host, findings, stricter);
  const whole = { ...preset, missing: [...preset.missing, ...notes] };
  if (har) checkHoldsNoSecret(whole, har, JSON.stringify([origin, metadata]));
  return whole;
}

/** Drops what metadata only leaves out, if the login shows otherwise. */
function withoutContradictions(
  findings: SourceFacts,
  login: RecordedLogin | undefined,
): SourceFacts {
  const hasIssuer = login?.authorization?.parameters.includes("iss") ?? false;
  const facts = findings.facts.filter(({ id }) => !hasIssuer || id !== "no_iss");
  return { ...findings, facts };
}

/** The path of an issuer may have a placeholder, which no URL has. */
function originOf(issuer: string): string {
  return new URL(issuer).origin;
}

/** A second line of defense: only facts are taken over, so this finds only our mistakes. */
function checkHoldsNoSecret(
  preset: PresetFile,
  har: Readonly<Record<string, unknown>>,
  published: string,
): void {
  const text = JSON.stringify(preset);
  for (const secret of recordedSecrets(har)) {
    if (!text.includes(secret) || published.includes(secret)) continue;
    throw new Error("The preset would hold a value of the recording, so nothing was written.");
  }
}
