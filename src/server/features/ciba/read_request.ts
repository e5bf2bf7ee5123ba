import type { Profile } from "../../config/profiles/profile.ts";
import { type Client, referenceTo } from "../../model/client.ts";
import {
  type AccessRules,
  readAccessRights,
  readRequestedAccess,
} from "../../protocol/access_request.ts";
import { readRequestedAcr } from "../../protocol/acr.ts";
import { checkParameterLengths, type FormParameters } from "../../protocol/form_parameters.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import { type ApplyRule, requirePresent } from "../../protocol/rule.ts";
import { backchannelRules, hintNames } from "./backchannel_rules.ts";
import { cibaClientOf, isHighValue } from "./config.ts";

/** What a client asks for, before its user is known. */
export type AskedRequest = ReturnType<typeof readBackchannelRequest>;

/** Reads a backchannel authentication request (CIBA, section 7.1). */
export function readBackchannelRequest(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  settings: AccessRules & { profile: Profile },
) {
  checkParameterLengths(apply, parameters);
  const access = readAccessRights(
    apply,
    readRequestedAccess(parameters, settings),
    client,
    settings,
  );
  apply(backchannelRules.openid, access.scope);
  const bindingMessage = parameters.get("binding_message");
  apply(backchannelRules.binding_message, bindingMessage);
  const isUnique = bindingMessage !== undefined || access.authorizationDetails !== undefined ||
    !isHighValue(settings.profile);
  apply(backchannelRules.binding_message_present, { isUnique });
  const expiry = parameters.get("requested_expiry");
  apply(backchannelRules.requested_expiry, expiry);
  return {
    request: {
      clientId: client.id,
      requestedBy: referenceTo(client),
      ...access,
      acr: readRequestedAcr(parameters.get("acr_values"), undefined, client),
      // Anyone can send a hint, so the user is always asked.
      prompt: ["consent"],
      maxAge: client.defaultMaxAge,
    } satisfies PolledRequest,
    hint: readHint(apply, parameters),
    bindingMessage,
    userCode: parameters.get("user_code"),
    /** In seconds. */
    requestedExpiry: expiry === undefined ? undefined : Number(expiry),
    /** The bearer token of the ping, if the client waits for one. */
    notificationToken: readNotificationToken(apply, parameters, client),
  };
}

/** Reads the hint about the user: there is exactly one. */
function readHint(apply: ApplyRule, parameters: FormParameters) {
  apply(backchannelRules.no_hint_token, parameters.get("login_hint_token"));
  const hints = hintNames.filter((name) => parameters.get(name) !== undefined);
  apply(backchannelRules.one_hint, hints);
  return {
    idTokenHint: parameters.get("id_token_hint"),
    loginHint: parameters.get("login_hint"),
  };
}

/** A client that polls may send a token, which nothing would use. */
function readNotificationToken(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
): string | undefined {
  if (cibaClientOf(client).backchannelDeliveryMode !== "ping") return undefined;
  const token = requirePresent(
    apply,
    backchannelRules.notification_token,
    parameters.get("client_notification_token"),
  );
  apply(backchannelRules.notification_token_form, token);
  return token;
}
