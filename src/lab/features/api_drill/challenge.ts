/** The scheme of a challenge, and its parameters. */
export interface ReadChallenge {
  scheme: string;
  parameters: Readonly<Record<string, string>>;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const scheme = new RegExp(`^(${token})(?: +|(?=,|$))`);
const parameter = new RegExp(`^(${token}) *= *(?:(${token})|"((?:[^"\\\\]|\\\\.)*)") *(?:, *|$)`);
const token68 = /^[\w.~+/-]+=*(?: *, *|$)/;

/**
 * Reads a WWW-Authenticate header (RFC 9110, section 11.6.1): all challenges, or undefined if its
 * syntax is wrong.
 */
export function readChallenges(header: string): ReadChallenge[] | undefined {
  const challenges: ReadChallenge[] = [];
  let rest = header.trim();
  while (rest !== "") {
    const [begin, name] = scheme.exec(rest) ?? [];
    if (begin === undefined || name === undefined) return undefined;
    rest = rest.slice(begin.length).replace(/^, */, "");
    const parameters: Record<string, string> = {};
    for (let found = parameter.exec(rest); found; found = parameter.exec(rest)) {
      const [whole, key = "", plain, quoted = ""] = found;
      parameters[key.toLowerCase()] = plain ?? quoted.replace(/\\(.)/g, "$1");
      rest = rest.slice(whole.length);
    }
    if (Object.keys(parameters).length === 0) rest = rest.replace(token68, "");
    // What is left after the parameters must begin another challenge.
    if (rest !== "" && !scheme.test(rest)) return undefined;
    challenges.push({ scheme: name.toLowerCase(), parameters });
  }
  return challenges;
}
