/** Another spelling of the path and the query of a URL: what is special about it, and both. */
export type Spelling = readonly [what: string, path: string];

/** Returns other spellings of a path, which some routers read as the path, and some guards do not. */
export function spellingsOf({ pathname, search }: URL): Spelling[] {
  const path = pathname.replace(/\/$/, "");
  const at = path.lastIndexOf("/") + 1;
  const [before, last] = [path.slice(0, at), path.slice(at)];
  if (last === "") return [];
  const first = `%${last.charCodeAt(0).toString(16)}`;
  const more = search === "" ? "?" : `${search}&`;
  const upper = last === last.toUpperCase() ? last.toLowerCase() : last.toUpperCase();
  return [
    ["a slash at its end", `${path}/${search}`],
    ["two slashes at its beginning", `/${path}${search}`],
    ["two slashes before its last part", `${before}/${last}${search}`],
    ["another case", before + upper + search],
    ["an encoded character", before + first + last.slice(1) + search],
    ["an encoded slash at its end", `${path}%2f${search}`],
    ["an encoded space at its end", `${path}%20${search}`],
    ["a parameter of its last part", `${path};a=b${search}`],
    ["the suffix .json", `${path}.json${search}`],
    ["the suffix .css", `${path}.css${search}`],
    ["a public path before it", `/health/..%2f${path.slice(1)}${search}`],
    ["a public path with a parameter before it", `/public/..;${path}${search}`],
    ["a public path in its query", `${path}${more}path=/health`],
    ["a static file in its query", `${path}${more}file=/favicon.ico`],
  ];
}
