const listKey: unique symbol = Symbol.for("hallpass.header_list");

interface RequestWithList extends Request {
  [listKey]?: readonly string[];
}

/** Remembers the headers of a request as they came: names and values in turn. */
export function withHeaderList(request: Request, list: readonly string[]): Request {
  (request as RequestWithList)[listKey] = list;
  return request;
}

/** Lists the headers of a request. On Node, an object of the platform is not made for it. */
export function requestHeaders(request: RequestWithList): Array<[name: string, value: string]> {
  const list = request[listKey];
  if (!list) return [...request.headers];
  const pairs: Array<[string, string]> = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? "", list[at + 1] ?? ""]);
  return listHeaders(pairs);
}

/**
 * Lists headers as the platform does: in small letters, sorted, and with the values of a name
 * joined.
 */
export function listHeaders(
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Array<[name: string, value: string]> {
  const listed = headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const names = new Set(listed.map(([name]) => name));
  // How values are joined depends on their name.
  if (names.size < listed.length) return [...new Headers(listed)];
  return listed.sort(([a], [b]) => a < b ? -1 : 1);
}
