/** @jsxImportSource preact */
import { grantTypesOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { cibaGrantType } from "../../../server/protocol/grant_types.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { operation } from "../../core/operation.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { ClientCommand, CommandSource } from "../../flows/curl.ts";
import { decisionIn } from "../../flows/flow_outcome.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { FixPlace, OfferedFix } from "../../pages/parts/fix.tsx";
import type { Exchange } from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { type CibaTools, listWaiting } from "./approvals.ts";
import { type ApproveCall, callSchemas } from "./calls.ts";

/** The operations with which users decide, and a command that asks one. */
export const cibaInterface: FeatureInterface<CibaTools> = {
  operations: [
    operation("GET /approvals", {
      name: "list-approvals",
      summary: "Lists what clients ask users over the back channel, until a user decides.",
      kind: "list",
      returns: "OpenApproval[]",
      page: {
        title: "Requests over the back channel",
        about: "What clients ask users who are elsewhere (CIBA). Users decide on their account " +
          "page, or on this page.",
        columns: { User: "user", Client: "client", Message: "message", Scope: "scope" },
        buttons: {
          Allow: { operation: "approve", members: ["user", "client"] },
          Deny: { operation: "approve", members: ["user", "client"], more: { deny: "true" } },
        },
        empty: "The page of each client with this grant has a command that sends one.",
      },
      run: ({ context }) => listWaiting(context),
    }),
    operation("POST /approvals", {
      name: "approve",
      page: { title: "Decide for a user" },
      summary: "Decides for a user about what clients ask over the back channel, now or later.",
      body: { name: "ApproveCall", schema: callSchemas.ApproveCall },
      example: { body: { user: "alice" } },
      returns: "Approval[]",
      run(lab, { body }) {
        const { user, ...options } = body as unknown as ApproveCall;
        return lab.approve(user, options);
      },
    }),
  ],
  clientCommands: askCommand,
  offerFix: offerDecision,
};

/** Links to the page where users decide, while a flow waits for one of them. */
function offerDecision(
  _lab: CoreLab,
  exchanges: readonly Exchange[],
  { base, id = "decide" }: FixPlace,
): OfferedFix | undefined {
  const events = exchanges.flatMap((each) => each.events);
  const began = events.findLast((event) => event.type === "backchannel.began");
  const last = exchanges.at(-1);
  if (!began || !last || decisionIn(events)) return undefined;
  const isWaiting = last.events.includes(began) ||
    ["authorization_pending", "slow_down"].includes(refusalOf(last)?.error ?? "");
  if (!isWaiting) return undefined;
  const button = (
    <a class="button" id={id} href={`${base}/lab/approvals`}>
      Decide as <bdi>{began.user}</bdi>
    </a>
  );
  return { button, isLikely: true };
}

/** Returns the command that asks alice over the back channel. */
function askCommand(source: CommandSource, client: ClientConfig): ClientCommand[] {
  const { id, secret } = client;
  const url = findEndpointUrl(source, "backchannel_authentication_endpoint");
  if (!grantTypesOf(client).includes(cibaGrantType) || secret === undefined || !url) return [];
  const login = [id, secret].map(encodeURIComponent).join(":");
  const [{ name: user } = { name: "alice" }] = source.context.settings.users.list();
  return [{
    what: "Ask a user who is elsewhere",
    text: `curl ${shellQuote(url)} \\\n  -u ${shellQuote(login)} \\\n  -d scope=openid \\\n` +
      `  --data-urlencode ${shellQuote(`login_hint=${user}`)}`,
    note: (
      <>
        Then decide <a href={`${source.context.settings.base}/lab/approvals`}>on this page</a>.
      </>
    ),
  }];
}
