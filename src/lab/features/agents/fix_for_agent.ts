/**
 * What an agent does with a tool, where the rule's own fix is for a person at a terminal. The rule
 * is the server's, which knows no tools.
 */
const fixes: Readonly<Record<string, string>> = {
  "redirect_uri.registered":
    "Send a redirect_uri of the client exactly as registered, or call register_client with the " +
    "id of the client and all of its redirectUris, this one included.",
};

/** Returns how an agent fixes a request that broke a rule. */
export function fixForAgent(rule: string | undefined, fix: string | undefined): string | undefined {
  return fixes[rule ?? ""] ?? fix;
}
