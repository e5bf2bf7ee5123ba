import type { Channel, Gain, RowClass } from "../../../findings/grade.ts";

/** Who can send what a fault makes, and what that gives them where it is not what its text says. */
type FaultClass = Omit<RowClass, "rule" | "kind" | "gain" | "by">;

const attackersLogin =
  "An attacker's login is completed in the browser of a victim, who then uses the attacker's account.";

const harmlessState: Omit<Gain, "when"> = {
  size: "limit",
  gain:
    "PKCE or the nonce stops the attack here; the state would stop it before a code is redeemed.",
};

const ofServer: Gain = {
  when: ["added servers"],
  takes: "a server",
  gain: "A server that an attacker runs passes for another one.",
};

/** One that reads no ID token has none to validate, if PKCE ties the code to its login. */
const unread = ["accepts token.without_id_token", "PKCE", "refuses callback.foreign_code"] as const;

/** By the faults: the first that fits. `*` stands for anything. */
export const faultClasses: Readonly<Record<string, FaultClass>> = {
  "callback.fixated_session callback.denied": { takes: "nothing" },
  "callback.*state": {
    takes: "a login",
    cases: [
      ofServer,
      { when: ["accepts callback.unsolicited"], takes: "nothing", gain: attackersLogin },
      { when: ["refuses callback.unsolicited"], ...harmlessState },
      { when: ["refuses callback.foreign_code"], ...harmlessState },
    ],
  },
  "callback.foreign_code metadata.without_pkce": { takes: "a code" },
  "callback.other_redirect_uri": { takes: "a connection" },
  "callback.iss_with_slash": {
    takes: "an issuer",
    when: ["with one redirect URI for several issuers"],
    cases: [ofServer],
  },
  "callback.*iss": {
    takes: "an issuer",
    when: ["with one redirect URI for several issuers"],
    cases: [{
      when: ["added servers"],
      takes: "nothing",
      gain: "A code of another server reaches the one that the login began at (mix-up).",
    }],
  },
  "metadata.wrong_issuer": { takes: "an issuer", cases: [ofServer] },
  "metadata.foreign_token_endpoint": { takes: "an issuer" },
  "resource_metadata.wrong_resource": { takes: "a server" },
  "jarm.wrong_iss": { takes: "an issuer" },
  // The response is signed besides: what ties the login to its browser holds without it.
  "jarm.*": {
    takes: "nothing",
    when: ["accepts callback.unsolicited"],
    cases: [{
      when: ["accepts callback.foreign_code"],
      unless: ["accepts callback.unsolicited"],
      takes: "a code",
      gain: "A code that was stolen from another session signs its user in here.",
    }],
  },
  "id_token.wrong_sub userinfo.wrong_sub userinfo.without_sub": { takes: "a token", eased: unread },
  "userinfo.*": { takes: "a token" },
  "id_token.*iss": {
    takes: "an issuer",
    eased: unread,
    cases: [{
      when: ["shared keys"],
      takes: "a tenant",
      gain: "Another tenant of your provider can sign in any of your users.",
    }],
  },
  "id_token.*aud": { takes: "a client", eased: unread },
  "id_token.*exp*": { takes: "a token", size: "limit", eased: unread },
  "id_token.*nonce": {
    takes: "a token",
    eased: unread,
    cases: [{
      when: ["accepts callback.foreign_code"],
      takes: "a code",
      gain: "A stolen code is redeemed in another session.",
    }],
  },
  "id_token.alg_none id_token.foreign_signature id_token.hs256* id_token.with_j* id_token.with_x*":
    { takes: "nothing", eased: unread },
  "id_token.encrypted_unsigned": { takes: "nothing", eased: unread },
  "id_token.*": { eased: unread },
  "token.without_id_token": { eased: ["PKCE"] },
  "logout_token.wrong_iss": { takes: "a tenant", size: "small" },
  "logout_token.wrong_aud": { takes: "a client", size: "small" },
  "logout_token.alg_none logout_token.hs256* logout_token.foreign*": {
    takes: "nothing",
    size: "small",
  },
  "logout_token.id_token": { takes: "a token", size: "small" },
  "logout_token.without_events logout_token.wrong_event logout_token.with_nonce": {
    takes: "a token",
    size: "small",
    when: ["accepts logout_token.id_token"],
  },
};

/** The way that something wrong comes: what only the provider sends, by the faults in it. */
export const faultChannels: Readonly<Record<string, Channel>> = {
  // Userinfo is that of the access token, which a response in the browser may bring.
  "id_token.wrong_sub userinfo.*": "userinfo",
  "id_token.*": "id_token",
  "token.*": "token",
  "refresh.*": "refresh",
  "metadata.wrong_issuer": "metadata",
  "jwks.*": "jwks",
};

/** The module of the certification for relying parties that tests the same. */
export const certifications: Readonly<Record<string, string>> = {
  "metadata.wrong_issuer": "oidcc-client-test-discovery-issuer-mismatch",
  "id_token.wrong_iss": "oidcc-client-test-invalid-iss",
  "id_token.wrong_aud": "oidcc-client-test-invalid-aud",
  "id_token.wrong_nonce": "oidcc-client-test-nonce-invalid",
  "id_token.foreign_signature": "oidcc-client-test-invalid-sig-rs256",
  "jwks.single_without_kid": "oidcc-client-test-kid-absent-single-jwks",
  "userinfo.wrong_sub": "oidcc-client-test-userinfo-invalid-sub",
  "logout_token.wrong_iss": "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss",
  "logout_token.without_events": "oidcc-client-test-rp-backchannel-rpinitlogout-no-event",
  "logout_token.wrong_event": "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event",
  "logout_token.with_nonce": "oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce",
};
