import type { LoggedDetails, Remedy } from "../../config/events.ts";
import { readableText } from "../../endpoints/responses/readable_text.ts";
import type { Feature } from "../../feature.ts";
import { featuresOf } from "../../issuer/active_features.ts";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { createBudget, takeAll } from "../../issuer/limits/budget.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import { describeFacts } from "./described_rules.ts";

/**
 * How many refusals are described a minute, of one sender and of all. Without authentication, a
 * stranger decides what came.
 */
const describedRefusals = serverPart(({ now }) => ({
  ofSender: createBudget(now, 30),
  ofAll: createBudget(now, 300),
}));

/** Operators read why a request was refused: what came, and what would allow it. */
export const refusalDetails: Feature = { name: "described refusals", loggedDetails };

/** Describes for logs why a request was refused. */
function loggedDetails(ctx: RequestContext, error: OAuthError): LoggedDetails {
  const described = describeFacts(error);
  if (!described || (!ctx.client && !mayDescribe(ctx))) return {};
  const { received, expected, remedy } = described;
  return {
    received: received && withoutSecrets(ctx, received),
    expected: expected && withoutSecrets(ctx, expected),
    remedy: remedy && withKnownValue(ctx, remedy),
  };
}

function mayDescribe(ctx: RequestContext): boolean {
  const { ofSender, ofAll } = describedRefusals(ctx);
  return takeAll([() => ofSender.take(ctx.sender), () => ofAll.take("all")]) !== undefined;
}

/** Leaves out user information, queries and fragments of URIs. */
function withoutSecrets(ctx: RequestContext, text: string): string {
  const shortened = text.replace(/\/\/[^\s/]*@/g, "//").replace(/([?#])[^\s']+/g, "$1...");
  return readableText(shortened, featuresOf(ctx));
}

/** What the server does not have can be allowed to no client. */
function withKnownValue({ settings }: RequestContext, remedy: Remedy): Remedy | undefined {
  const { setting, value } = remedy;
  if (setting === "scopes" && !settings.scopes.has(value ?? "")) return undefined;
  if (setting === "grantTypes" && !settings.grantTypes.includes(value ?? "")) return undefined;
  return remedy;
}
