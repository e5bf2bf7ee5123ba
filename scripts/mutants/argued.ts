/** A breakage that no test can notice, and why. */
export interface ArguedSurvivor {
  file: string;
  /** The line as it stands in the file, trimmed. */
  line: string;
  what: string;
  why: string;
}

/** Breakages that change nothing that anyone could observe. */
export const argued: readonly ArguedSurvivor[] = [
  {
    file: "src/http/router.ts",
    line: "if (path.length > maxComparedPath) return undefined;",
    what: "> became >=",
    why: "It only saves time, and no path of ours is nearly as long.",
  },
  {
    file: "src/store/group_commit.ts",
    line: "if (!isLocked(cause) || deadline <= now()) throw cause;",
    what: "<= became <",
    why: "It makes the longest wait for a lock one millisecond longer.",
  },
  {
    file: "src/store/ordered_ids.ts",
    line: "if (sorted && touched.size === 0) return sorted;",
    what: "the condition became false",
    why: "It only saves time: merging no changes gives the same list.",
  },
  {
    file: "src/store/sqlite.ts",
    line: "if (swept > 0) await group.write(() => statements.vacuum.all());",
    what: "the condition became true",
    why: "It only saves time: there is nothing to give back after a sweep without a row.",
  },
  {
    file: "src/store/memory.ts",
    line: "if (previous?.expiresAt !== expiresAt) expiries.push({ kind, id, expiresAt });",
    what: "the condition became true",
    why: "An expiry that is noted twice is looked at twice. The row is deleted once.",
  },
];
