import { type EndpointSource, listProviderApis } from "../dialect/lab_endpoints.ts";
import { toCurl } from "../flows/curl.ts";

/**
 * Returns the command that gets a token about a program; undefined if the provider has no such
 * tokens. Every open segment of the path is named `default`, as what a cluster begins with.
 */
export function programTokenCommand(
  source: EndpointSource,
  { isOneLine = false }: { isOneLine?: boolean } = {},
): string | undefined {
  const api = listProviderApis(source).find(({ bearer }) => bearer !== undefined);
  if (!api) return undefined;
  const { method, url, bearer } = api;
  const isPost = method === "POST";
  const command = toCurl({
    method,
    url: url.replace(/\/:[^/]+/g, "/default"),
    headers: {
      authorization: `Bearer ${bearer}`,
      ...isPost && { "content-type": "application/json" },
    },
    body: isPost ? "{}" : "",
    form: new URLSearchParams(),
  });
  return isOneLine ? command.replaceAll(" \\\n ", "") : command;
}
