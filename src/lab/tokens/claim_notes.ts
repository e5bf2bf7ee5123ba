/** What a member of a JWT means, in one sentence, with the section that defines it. */
export interface ClaimNote {
  says: string;
  see: string;
}

type ClaimNoteTable = Readonly<Record<string, readonly [says: string, see: string]>>;

const core = "OpenID Connect Core";

/** The members of the header. */
const headerNotes: ClaimNoteTable = {
  alg: ["The algorithm of the signature.", "RFC 7515, section 4.1.1"],
  kid: ["Names the key that verifies the signature.", "RFC 7515, section 4.1.4"],
  typ: [
    "What kind of JWT it is. Check it, so that one kind never passes for another.",
    "RFC 8725, section 3.11",
  ],
  cty: ["The media type of what is inside.", "RFC 7515, section 4.1.10"],
  jwk: [
    "The public key itself. It proves possession of that key, and nothing else.",
    "RFC 7515, section 4.1.3",
  ],
  jku: ["A URL of keys. Never fetch it: the sender chose it.", "RFC 8725, section 3.10"],
  x5u: ["A URL of a certificate. Never fetch it: the sender chose it.", "RFC 8725, section 3.10"],
  x5c: ["The certificate chain of the key.", "RFC 7515, section 4.1.6"],
  crit: [
    "Members that must be understood, or else the token is rejected.",
    "RFC 7515, section 4.1.11",
  ],
  enc: ["How the content is encrypted.", "RFC 7516, section 4.1.2"],
};

/** The claims. */
const claimNotes: ClaimNoteTable = {
  iss: [
    "Who issued it. It must equal the issuer that you expect, character by character.",
    "RFC 7519, section 4.1.1",
  ],
  sub: [
    "Whom it is about: the user, or the client itself. It is unique within the issuer.",
    "RFC 7519, section 4.1.2",
  ],
  aud: ["Whom it is meant for. Everyone else must reject it.", "RFC 7519, section 4.1.3"],
  exp: ["From this time on, it must be rejected.", "RFC 7519, section 4.1.4"],
  nbf: ["Before this time, it must be rejected.", "RFC 7519, section 4.1.5"],
  iat: ["When it was issued.", "RFC 7519, section 4.1.6"],
  jti: ["Its own id, by which a replay can be recognized.", "RFC 7519, section 4.1.7"],
  client_id: ["The client that got the token.", "RFC 9068, section 2.2"],
  scope: ["What the client may do, as names separated by spaces.", "RFC 9068, section 2.2.3"],
  authorization_details: ["What the client may do, in detail.", "RFC 9396, section 9.1"],
  cnf: [
    "The key that the sender must prove to have (jkt: the thumbprint of a DPoP key).",
    "RFC 9449, section 6.1",
  ],
  act: ["Who acts for the subject.", "RFC 8693, section 4.1"],
  exchanged_by: [
    "The clients that exchanged a token for this one. Only the server reads this claim.",
    "RFC 8693, section 1.1",
  ],
  may_act: ["Who may act for the subject.", "RFC 8693, section 4.4"],
  auth_time: ["When the user signed in.", `${core}, section 2`],
  nonce: [
    "The value of the client's request. The client compares it with its own.",
    `${core}, section 2`,
  ],
  acr: ["How strong the sign-in was.", `${core}, section 2`],
  amr: ["How the user signed in: pwd, mfa, otp and so on.", "RFC 8176, section 2"],
  azp: ["The client that the ID token was issued to.", `${core}, section 2`],
  at_hash: [
    "Half of the access token's hash. It binds the two together.",
    `${core}, section 3.1.3.6`,
  ],
  c_hash: ["Half of the code's hash. It binds the two together.", `${core}, section 3.3.2.11`],
  s_hash: ["Half of the hash of 'state'.", "FAPI 1.0 Part 2, section 5.1"],
  sid: [
    "The session of the user, which a logout names.",
    "OpenID Connect Back-Channel Logout, 2.1",
  ],
  events: [
    "Which event it reports; for a logout, that of back-channel logout.",
    "OpenID Connect Back-Channel Logout, 2.4",
  ],
  htm: ["The method of the request that the proof is for.", "RFC 9449, section 4.2"],
  htu: ["The URL of the request that the proof is for.", "RFC 9449, section 4.2"],
  ath: ["The hash of the access token that the proof comes with.", "RFC 9449, section 4.2"],
  token_introspection: ["What the server knows about the token.", "RFC 9701, section 5"],
  name: ["The full name.", `${core}, section 5.1`],
  given_name: ["The first name.", `${core}, section 5.1`],
  family_name: ["The last name.", `${core}, section 5.1`],
  preferred_username: [
    "A short name. It may change; never use it as a key.",
    `${core}, section 5.1`,
  ],
  picture: ["The URL of a picture.", `${core}, section 5.1`],
  email: ["The e-mail address. It may change; never use it as a key.", `${core}, section 5.7`],
  email_verified: ["Whether the address was verified.", `${core}, section 5.1`],
  phone_number: ["The telephone number.", `${core}, section 5.1`],
  address: ["The postal address.", `${core}, section 5.1.1`],
  locale: ["The language of the user.", `${core}, section 5.1`],
  zoneinfo: ["The time zone of the user.", `${core}, section 5.1`],
  updated_at: ["When the claims were last changed.", `${core}, section 5.1`],
  roles: ["The roles of the user.", "RFC 9068, section 2.2.3.1"],
  groups: ["The groups of the user.", "RFC 9068, section 2.2.3.1"],
  entitlements: ["What the user is entitled to.", "RFC 9068, section 2.2.3.1"],
};

/** Returns what a member of the header means; undefined for one that no specification defines. */
export function headerNote(name: string): ClaimNote | undefined {
  return noteIn(headerNotes, name);
}

/** Returns what a claim means; undefined for one that no specification defines. */
export function claimNote(name: string): ClaimNote | undefined {
  return noteIn(claimNotes, name);
}

function noteIn(table: ClaimNoteTable, name: string): ClaimNote | undefined {
  if (!Object.hasOwn(table, name)) return undefined;
  const [says = "", see = ""] = table[name] ?? [];
  return { says, see };
}
