import { catalogue } from "../../lab/faults/catalogue.ts";
import { isFinding, type VetOutcome, type VetResult } from "../../lab/vet/vet_result.ts";
import { printable } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";

const width = 80;

/** Returns what `vet` prints before it begins. */
export function formatIntroduction(words: readonly string[], runs: number): string {
  return wrap(
    `This runs '${
      printable(words.join(" "))
    }' up to ${runs} times, each time with everything that ` +
      "it does to the world: to databases, files, mail and other services.",
    width,
  ).join("\n");
}

/** Returns what a suite would notice, for a reader. */
export function formatResult(result: VetResult): string {
  const { outcomes, noticed, total } = result;
  const isAttack = ({ expectation }: VetOutcome) => expectation === "refuse";
  const of = (outcome: VetOutcome["outcome"]) =>
    outcomes.filter((each) => isAttack(each) && each.outcome === outcome);
  const mustAccept = outcomes.filter((each) => each.expectation === "accept" && isFinding(each));
  return [
    "",
    `Your tests would notice ${noticed} of ${total} attacks.`,
    ...section("Your client accepts these, and no test notices:", of("accepted")),
    ...section("Your client refuses these, although it must accept them:", mustAccept),
    ...section("Your client refuses these, but no test shows it:", of("refused")),
    ...section("A test notices these:", of("noticed")),
    ...section("The tests failed for another reason:", outcomes.filter(isUnstable)),
    ...section("Your tests never meet these:", outcomes.filter(isUnmet)),
  ].join("\n");
}

function isUnstable({ outcome }: VetOutcome): boolean {
  return outcome === "unstable";
}

function isUnmet({ outcome }: VetOutcome): boolean {
  return outcome === "unmet";
}

function section(title: string, outcomes: readonly VetOutcome[]): string[] {
  if (outcomes.length === 0) return [];
  const isExplained = !outcomes.every(isUnmet) &&
    !outcomes.every(({ outcome }) => outcome === "noticed");
  const lines = outcomes.flatMap((each) => isExplained ? explainedLines(each) : shortLines(each));
  return ["", title, ...lines];
}

function explainedLines({ fault, see, reason }: VetOutcome): string[] {
  const text = [catalogue.get(fault)?.summary, reason, `See ${see}.`].filter(Boolean).join(" ");
  return [`  ${fault}`, ...indented(text)];
}

function shortLines({ fault, tests = [] }: VetOutcome): string[] {
  return [`  ${fault}`, ...tests.slice(0, 3).map((name) => `      ${printable(name)}`)];
}

function indented(text: string): string[] {
  return wrap(text, width - 6).map((line) => `      ${line}`);
}
