/** A longer value matches no expression, so that none takes long. */
const maxLength = 256;

/** What matters of an expression: an escape, a class, the ends of an alternative, a repetition. */
const parts = /\\.|\[(?:\\.|[^\]])*\]|[()|*+]|\{\d+(?:,\d*)?\}/gs;

/** How an alternative begins, if that is one character which must be there. */
const firstCharacter = /^(?:\?:)?([^\\[(.^$|)?*+{])(?![?*{])/s;

/** A group of an expression. */
interface Group {
  /** Whether something in it repeats. */
  repeats: boolean;
  /** How its alternatives begin; undefined for one that may begin in several ways. */
  starts: Array<string | undefined>;
  /** Whether a text may fit several of its alternatives, or of those in it. */
  isAmbiguous: boolean;
}

/**
 * Returns why an expression could block the lab, or undefined. Clients choose the value, and where a
 * repetition can divide it in several ways, the platform may try every one.
 */
export function patternProblem(pattern: string): string | undefined {
  const open = [newGroup(pattern)];
  let closed: { end: number; group: Group | undefined } = { end: -1, group: undefined };
  for (const { 0: part, index } of pattern.matchAll(parts)) {
    const group = open.at(-1);
    const rest = pattern.slice(index + 1);
    if (part === "(") open.push(newGroup(rest));
    if (part === "|") group?.starts.push(startOf(rest));
    if (part === ")") closed = { end: index + 1, group: closeGroup(open) };
    if (!/^[*+{]/.test(part)) continue;
    const problem = closed.end === index ? repetitionProblem(part, closed.group) : undefined;
    if (problem !== undefined) return problem;
    if (group && isOpenEnded(part)) group.repeats = true;
  }
  return undefined;
}

function newGroup(rest: string): Group {
  return { repeats: false, starts: [startOf(rest)], isAmbiguous: false };
}

function startOf(rest: string): string | undefined {
  return firstCharacter.exec(rest)?.[1];
}

/** Closes the innermost group; what is true about it is true about the one around it. */
function closeGroup(open: Group[]): Group | undefined {
  const group = open.pop();
  const outer = open.at(-1);
  if (!group || !outer) return undefined;
  group.isAmbiguous ||= haveSameStart(group.starts);
  outer.repeats ||= group.repeats;
  outer.isAmbiguous ||= group.isAmbiguous;
  return group;
}

function haveSameStart(starts: ReadonlyArray<string | undefined>): boolean {
  if (starts.length < 2) return false;
  return starts.includes(undefined) || new Set(starts).size < starts.length;
}

/** Whether a repetition has no fixed number. */
function isOpenEnded(repetition: string): boolean {
  return !/^\{\d+\}$/.test(repetition);
}

function repetitionProblem(repetition: string, group: Group | undefined): string | undefined {
  if (group?.repeats && isOpenEnded(repetition)) {
    return "has a repetition within a repetition, which can take forever: repeat once, or " +
      "name the values";
  }
  if (!group?.isAmbiguous) return undefined;
  return "repeats alternatives that may begin alike, which can take forever: let each begin with " +
    "another character, or name the values";
}

/** Whether an expression matches a whole value. One that is not valid matches only itself. */
export function matchesWhole(pattern: string, value: string): boolean {
  if (value.length > maxLength) return false;
  try {
    return new RegExp(`^(?:${pattern})$`).test(value);
  } catch {
    return false;
  }
}
