import { type Operation, operation } from "../core/operation.ts";
import type { MintCodeOptions } from "../tokens/mint_code.ts";
import type { MintOptions } from "../tokens/mint_options.ts";
import { LabError } from "../util/lab_error.ts";

export const mintToken: Operation = operation("POST /tokens", {
  name: "mint-token",
  onlyAdds: true,
  summary: "Issues tokens without a flow.",
  agents: "Use it to call an API: for a user and scope, expired (expiresIn: -1h), with other " +
    "claims, or for another audience.",
  body: { name: "MintOptions" },
  example: { body: { sub: "alice", scope: "openid profile" } },
  returns: "MintedTokens",
  page: {
    title: "Mint a token",
    about: "Tokens without a flow. Each is decoded.",
    fields: {
      sub: { label: "Subject", help: "A user, a client for itself, or any other subject." },
      kind: {
        choices: [
          ["", "Access token"],
          ["id", "ID token"],
          ["refresh", "Refresh token"],
          ["logout", "Logout token"],
        ],
      },
      client: {},
      scope: {
        help: "With openid there is an ID token, with offline_access a refresh token.",
      },
    },
  },
  run: (lab, { body }) => lab.mint(body as unknown as MintOptions),
});

export const tokenOperations: readonly Operation[] = [
  mintToken,
  operation("POST /codes", {
    name: "mint-code",
    summary:
      "Issues an authorization code without a request, for tests that begin at the callback.",
    body: { name: "MintCodeOptions", inPath: "kind" },
    example: { body: { user: "alice", client: "demo-spa", scope: "openid profile" } },
    returns: "MintedCode",
    run(lab, { body: { kind = "code", ...options } }) {
      if (kind !== "code") throw new LabError("Cannot mint a code: 'kind' must be 'code'.");
      return lab.mint({ ...options, kind } as MintCodeOptions);
    },
  }),
];
