import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import { decodeUtf8 } from "../util/bytes/encoding.ts";
import { clientAssertionType, peekClientAssertion } from "./client_assertion.ts";
import { clientRules } from "./client_rules.ts";
import { decodeForm, type FormParameters } from "./form_parameters.ts";
import { type ApplyRule, requirePresent } from "./rule.ts";

const ascii = /^[\0-\x7f]*$/;

/** The unverified credentials of a client, as a request contains them. */
export interface ClientCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  /** The secret or the assertion. Empty for a public client. */
  proof: string;
  /** The secret of HTTP Basic before its form decoding, for a hint. */
  undecoded?: string;
}

/** Reads the credentials of a client. Exactly one method may be used (OAuth 2.1, section 2.4). */
export function readClientCredentials(
  apply: ApplyRule,
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const credentials = readMethod(apply, authorization, parameters);
  const clientId = parameters.get("client_id");
  if (clientId !== undefined) {
    apply(clientRules.same_id, { received: clientId, expected: credentials.clientId });
  }
  return credentials;
}

function readMethod(
  apply: ApplyRule,
  authorization: string | null,
  parameters: FormParameters,
): ClientCredentials {
  const secret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  const assertionType = parameters.get("client_assertion_type");
  const hasAssertion = assertion !== undefined || assertionType !== undefined;
  const methods = [
    ...authorization === null ? [] : ["an Authorization header"],
    ...secret === undefined ? [] : ["a client_secret"],
    ...hasAssertion ? ["a client_assertion"] : [],
  ];
  apply(clientRules.one_method, { methods });
  if (authorization !== null) return readBasic(apply, authorization);
  if (hasAssertion) return readAssertion(apply, assertion, assertionType);
  const rule = secret === undefined ? clientRules.named : clientRules.secret_has_id;
  return {
    method: secret === undefined ? "none" : "client_secret_post",
    clientId: requirePresent(apply, rule, parameters.get("client_id")),
    proof: secret ?? "",
  };
}

/** Reads HTTP Basic. The id and the secret are form-encoded (OAuth 2.1, section 2.4.1). */
function readBasic(apply: ApplyRule, authorization: string): ClientCredentials {
  const [, found] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const encoded = requirePresent(apply, clientRules.basic_scheme, found);
  const text = requirePresent(apply, clientRules.basic_base64, decodeBase64(encoded));
  const colon = text.indexOf(":");
  const undecoded = text.slice(colon + 1);
  const clientId = requirePresent(
    apply,
    clientRules.basic_encoding,
    decodeForm(text.slice(0, colon)),
  );
  const proof = requirePresent(apply, clientRules.basic_encoding, decodeForm(undecoded));
  return { method: "client_secret_basic", clientId, proof, undecoded };
}

/** Decodes base64 with its padding: `atob` would repair it (RFC 4648, sections 3.2 and 3.5). */
function decodeBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    if (btoa(binary) !== encoded) return undefined;
    // Only saves time: ASCII decodes to itself.
    return ascii.test(binary) ? binary : decodeUtf8(bytesOf(binary));
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a text of which each character is one. */
function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Reads a JWT that the client signed with its key or its secret (RFC 7523, section 2.2). */
function readAssertion(
  apply: ApplyRule,
  assertion = "",
  assertionType: string | undefined,
): ClientCredentials {
  apply(clientRules.assertion_type, { received: assertionType, expected: clientAssertionType });
  const unverified = requirePresent(
    apply,
    clientRules.assertion_subject,
    peekClientAssertion(assertion),
  );
  return { ...unverified, proof: assertion };
}
