/** An object or an array of a JSON text, as far as it has been read. */
interface Container {
  path: string;
  /** The names of the members that an object has so far; undefined for an array. */
  names: Set<string> | undefined;
  /** The position of the current entry of an array. */
  index: number;
  /** The name of the current member of an object, once it has been read. */
  name: string | undefined;
}

/** A string or a character of structure. Nothing else decides where a member is. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * Returns the path of the first member that an object of a JSON text has twice, such as
 * `clients[0].id`. `JSON.parse` would keep the last one without a word.
 */
export function findRepeatedMember(json: string): string | undefined {
  const open: Container[] = [];
  for (const [part] of json.matchAll(token)) {
    const inner = open.at(-1);
    if (part === "{" || part === "[") {
      const names = part === "{" ? new Set<string>() : undefined;
      open.push({ path: inner ? pathIn(inner) : "", names, index: 0, name: undefined });
    } else if (part === "}" || part === "]") {
      open.pop();
    } else if (inner && part === ",") {
      inner.index++;
      inner.name = undefined;
    } else if (inner?.names && inner.name === undefined) {
      inner.name = JSON.parse(part) as string;
      if (inner.names.has(inner.name)) return pathIn(inner);
      inner.names.add(inner.name);
    }
  }
  return undefined;
}

/** Returns the path of the current member or entry. */
function pathIn({ path, names, index, name }: Container): string {
  if (!names) return `${path}[${index}]`;
  return path === "" ? `${name}` : `${path}.${name}`;
}
