import { appendFileSync, readFileSync } from "node:fs";

/** Which runs have ended, in a file that a later start goes on from. */
export interface RunLog {
  /** Returns whether a run succeeded, or undefined if it has not ended. */
  resultOf(names: readonly string[]): boolean | undefined;
  add(names: readonly string[], succeeded: boolean, seconds: number): void;
}

/** Opens the log of a file. Without one, it remembers nothing. */
export function openRunLog(file: string | undefined): RunLog {
  const results = new Map(
    readLines(file).map((line) => {
      const [result, names = ""] = line.split(" ");
      return [names, result === "ok"];
    }),
  );
  const keyOf = (names: readonly string[]) => names.join("+");
  return {
    resultOf: (names) => results.get(keyOf(names)),
    add(names, succeeded, seconds) {
      if (file === undefined) return;
      const result = succeeded ? "ok" : "FAILED";
      appendFileSync(file, `${result} ${keyOf(names)} ${seconds.toFixed(0)} s\n`);
    },
  };
}

function readLines(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return []; // The first run makes the file.
  }
}
