import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { containsSecret, watchForSecrets } from "../../../support/watch_for_secrets.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";

const watch = watchForSecrets();

/** What no text of the server contains by chance, with characters that are escaped differently. */
const anySecret = fc.tuple(
  fc.stringMatching(/^zq[A-Za-z0-9_-]{20,60}$/),
  fc.constantFrom("", " ", "+", "%", "/", '"', "\\", "'", "<", "&", "=", ":", ".", ",", "é"),
).map(([text, separator]) => `${text}${separator}${text}`);

/** A secret in a place of a request where none belongs. */
export const secretTargets: readonly FuzzTarget[] = [
  fuzzTarget(
    "no event, line of the log, metric or error contains a secret of a request",
    fc.tuple(fc.nat({ max: watch.places.length - 1 }), anySecret),
    async ([at, secret]) => {
      const place = watch.places[at];
      if (!place || !isPossible(() => place.request(secret))) return;
      // A part of it is as bad.
      const [text = ""] = secret.split(/[^\w-]/, 1);
      assertEquals(await watch.leaks(place, secret, text), undefined);
      assertEquals(containsSecret(watch.metrics(), text), false);
    },
  ),
];

/** A header cannot have every character. */
function isPossible(create: () => unknown): boolean {
  try {
    create();
    return true;
  } catch {
    return false;
  }
}
