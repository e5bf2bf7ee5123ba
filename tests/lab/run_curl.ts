/** Sends a request as the `curl` command of a page does, to a server in this process. */
export async function runCurl(
  fetch: (request: Request) => Promise<Response>,
  command: string,
): Promise<Response> {
  const [, ...words] = shellWords(command);
  const headers = new Headers();
  const body: string[] = [];
  let [url, method] = ["", "GET"];
  for (let at = 0; at < words.length; at++) {
    const [word = "", next = ""] = [words[at], words[at + 1]];
    if (!word.startsWith("-")) {
      url = word;
      continue;
    }
    at++;
    if (word === "-X") method = next;
    else if (word === "-u") headers.set("Authorization", `Basic ${btoa(next)}`);
    else if (word === "-H") headers.append(...splitOnce(next, ": "));
    else if (word === "-d" || word === "--data-raw") body.push(next);
    else if (word === "--data-urlencode") body.push(encodeField(next));
    else throw new Error(`No such option of curl is known: ${word}`);
  }
  if (body.length === 0) return await fetch(new Request(url, { method, headers }));
  if (!headers.has("Content-Type")) {
    headers.set("Content-Type", "application/x-www-form-urlencoded");
  }
  return await fetch(new Request(url, { method: "POST", headers, body: body.join("&") }));
}

/** Returns the words of a command in which only single quotes and ends of lines are quoted. */
function shellWords(command: string): string[] {
  const parts = command.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g);
  return [...parts].map(([word]) => word.replace(/'([^']*)'|\\(')/g, "$1$2"));
}

function encodeField(field: string): string {
  const [name, value] = splitOnce(field, "=");
  return `${name}=${encodeURIComponent(value)}`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
