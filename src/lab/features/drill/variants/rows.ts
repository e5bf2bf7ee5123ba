import type { ClientConfig } from "../../../../server/features.ts";
import { encodeBase64url } from "../../../../server/util/bytes/encoding.ts";
import { gradesOf, type RowClass } from "../../../findings/grade.ts";
import { basisOf, type SentenceName } from "../../../findings/sentences.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import { conclude } from "../../verdicts/conclude.ts";
import { signInOnce } from "../login_steps.ts";
import { classOf } from "./attack_advice.ts";
import type { DrillRow, Expectation, RowAttempt, RowLogin, VariantParts } from "./drill_variant.ts";
import { bySuccess, type ObservedLogin, type Reading, unfiredReason } from "./readers.ts";

export type { DrillRow } from "./drill_variant.ts";

/** Rows of one feature: of the drill of a login, or of that of a client of an MCP server. */
export interface FeatureRows {
  of: "login" | "mcp";
  rows: readonly DrillRow[];
  /**
   * Whether they concern a client.
   *
   * @default any
   */
  isFor?(client: ClientConfig): boolean;
}

/** Returns what makes rows: whether it is a must, the sentence that decides, and the faults. */
function rowsTo(expectation: Expectation) {
  return (
    rule: RowClass["rule"] | undefined,
    sentence: SentenceName,
    faults: readonly FaultName[],
    { steps = signInOnce, reads = bySuccess, times, ...parts }: VariantParts = {},
  ): DrillRow[] =>
    faults.map((fault) => {
      const row: DrillRow = {
        fault,
        expectation,
        rule,
        ...basisOf(sentence),
        ...steps.after && { after: steps.after },
        ...times !== undefined && { times },
        requirement: faults[0] ?? fault,
        steps,
        reads,
        ...parts,
        run: (login) => runRow(row, login),
      };
      return row;
    });
}

/** Makes variants that an application must refuse. */
export const refuse = rowsTo("refuse");

/** Makes variants that an application must accept. */
export const accept = rowsTo("accept");

/** Makes variants that an application may refuse or accept. */
export const either = rowsTo("either").bind(undefined, undefined);

async function runRow(row: DrillRow, login: RowLogin) {
  if (row.learns) await login.learn(row.learns);
  const steps = row.steps.control ?? row.steps;
  return await conclude({
    attempt: () => attempt(row, login),
    recent: () => login.recent(steps),
    async control() {
      const { succeeded, flow } = await login.take(steps);
      return succeeded ? flow : undefined;
    },
  });
}

async function attempt(row: DrillRow, login: RowLogin): Promise<RowAttempt> {
  const seen = await login.take(row.steps, row);
  const { fired, succeeded, isLate, isDisturbed, lacksUsers } = seen;
  if (lacksUsers) {
    return { login: { ...seen, reason: undefined }, shows: "nothing", skipped: seen.reason };
  }
  if (fired === 0 && (succeeded || !row.steps.failUnchanged)) {
    const skipped = unfiredReason(row.fault, seen);
    return { login: seen, shows: "nothing", skipped, isUnsure: !succeeded };
  }
  const reading = row.reads(seen);
  const { did, skipped, isShown = false } = reading;
  if (did === undefined) return { ...reading, login: seen, shows: "nothing", skipped };
  if (did === "refused" && row.enlarges) {
    Object.assign(reading, await refusedSize(row, login, seen));
  }
  const byFailure = did === "refused" && !isShown;
  if (byFailure && isLate) {
    const skipped = "The application did not respond.";
    return { login: seen, shows: "nothing", skipped, isUnsure: true };
  }
  const isExpected = row.expectation === (did === "accepted" ? "accept" : "refuse");
  const { rule = row.rule } = reading;
  const isWrong = !isExpected && rule !== undefined &&
    gradesOf(classOf({ ...row, rule }))[0] !== undefined;
  const isUnsure = byFailure && isDisturbed;
  return { ...reading, login: seen, shows: isWrong ? "wrong" : "right", byFailure, isUnsure };
}

/** Looks whether a claim that means nothing is refused as well, if it makes the token as large. */
async function refusedSize(
  { steps }: DrillRow,
  login: RowLogin,
  { idTokenBytes }: ObservedLogin,
): Promise<Pick<Reading, "mistake">> {
  const usual = await login.take(steps.control ?? steps);
  // A byte of a claim takes four thirds of one in a JWT, as one of a random value in the claim.
  const length = Math.ceil((idTokenBytes - usual.idTokenBytes) * (3 / 4) ** 2);
  if (!usual.succeeded || length <= 0) return {};
  // What compresses its cookies has room for a text that can be compressed.
  const claims = {
    hallpass_unknown: encodeBase64url(crypto.getRandomValues(new Uint8Array(length))),
  };
  const padded = await login.take(steps, { fault: "token.claims", claims });
  if (padded.succeeded || padded.isDisturbed) return {};
  return { mistake: `ID tokens of ${padded.idTokenBytes} bytes are too large for it` };
}
