import type { CoreLab } from "../../../core/core_lab.ts";
import { responseTitle } from "../../../flows/arrow_titles.ts";
import { type ExchangeDetails, exchangeDetails } from "../../../flows/exchange_details.ts";
import { flowUser } from "../../../flows/flow_outcome.ts";
import { flowPath, requireFlowSource } from "../../../flows/flow_source.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { callbackIn } from "../../../recording/wire_callback.ts";
import { LabError } from "../../../util/lab_error.ts";
import { compareExchanges, isKept, type Replay } from "../compare_exchanges.ts";
import { requireExchange } from "../replay_request.ts";
import { parametersOf } from "../request_differences.ts";

/** One side of a comparison. */
export interface ComparedSide {
  id: number;
  details: ExchangeDetails;
  exchange: Exchange;
  /** What came back, in a few words: "200 page: Sign in". */
  summary: string;
  /** The path below `/lab` of its flow. */
  flowPath: string;
}

/** A parameter or header that at least one of the requests has. */
export interface ComparedField {
  name: string;
  original: readonly string[];
  replay: readonly string[];
  change: "same" | "changed" | "added" | "left out";
}

/** Everything that the page shows that compares a request with its replay. */
export interface ComparisonView {
  original: ComparedSide;
  replay: ComparedSide;
  comparison: Replay;
  parameters: readonly ComparedField[];
  /** Only those that differ. */
  others: readonly ComparedField[];
  withSecrets: boolean;
  /** The path of the form that mints what the lab knows, if the replay issued what it does not. */
  mintPath: string | undefined;
}

/** Gathers what the page shows about a replay. */
export function comparisonViewOf(
  lab: CoreLab,
  replay: Exchange,
  withSecrets: boolean,
): ComparisonView {
  if (replay.replayOf === undefined) {
    throw new LabError(`Request ${replay.id} is no replay: a client sent it.`);
  }
  const original = requireExchange(lab, replay.replayOf);
  const comparison = compareExchanges(original, replay, withSecrets);
  const fields = comparison.differences.map((difference) => ({
    ...difference,
    change: changeOf(difference),
  }));
  return {
    original: sideOf(lab, original, withSecrets),
    replay: sideOf(lab, replay, withSecrets),
    comparison,
    parameters: parameterFields(original, replay, fields, withSecrets),
    others: fields.filter(({ place }) => place !== "parameter"),
    withSecrets,
    mintPath: mintPathOf(lab, replay),
  };
}

/** Returns the path of the form that mints a token like the one of a replay. */
function mintPathOf(lab: CoreLab, replay: Exchange): string | undefined {
  const handler = lab.handlerOf(replay);
  if (!handler || isKept(replay)) return undefined;
  const { exchanges } = requireFlowSource(lab, `request-${replay.id}`);
  const issued = replay.events.find((event) => event.type === "token.issued");
  const client = issued?.client ?? replay.request.client;
  const fields = { sub: flowUser(exchanges) ?? client, client, scope: issued?.scope.join(" ") };
  const filled = Object.entries(fields).filter((each): each is [string, string] => !!each[1]);
  return `${handler.interfacePlace.base}/lab/tokens?${new URLSearchParams(filled)}#mint`;
}

function sideOf(lab: CoreLab, exchange: Exchange, withSecrets: boolean): ComparedSide {
  const { id } = exchange;
  const details = exchangeDetails(exchange, lab.issuer, withSecrets);
  const callback = exchange.response && callbackIn(exchange.response, lab.issuer);
  const { title, note } = responseTitle(exchange, callback);
  const summary = note === undefined ? title : `${title}: ${note}`;
  return { id, exchange, details, summary, flowPath: flowPath(lab, id) };
}

/** Returns every parameter of both requests, in the order of the original. */
function parameterFields(
  original: Exchange,
  replay: Exchange,
  differences: ReadonlyArray<ComparedField & { place: string }>,
  withSecrets: boolean,
): ComparedField[] {
  const [before, after] = [original, replay]
    .map((each) => parametersOf((withSecrets ? each : redact(each)).request));
  const names = [...new Set([...before?.keys() ?? [], ...after?.keys() ?? []])];
  return names.map((name) =>
    differences.find((each) => each.place === "parameter" && each.name === name) ?? {
      name,
      original: before?.get(name) ?? [],
      replay: after?.get(name) ?? [],
      change: "same",
    }
  );
}

function changeOf(
  { original, replay }: Pick<ComparedField, "original" | "replay">,
): ComparedField["change"] {
  if (original.length === 0) return "added";
  return replay.length === 0 ? "left out" : "changed";
}
