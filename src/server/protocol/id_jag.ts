/** The `typ` of an ID-JAG (Identity Assertion JWT Authorization Grant, section 3.1). */
export const idJagJwtType = "oauth-id-jag+jwt";

/** The type of token that a client requests for an ID-JAG (the same draft, section 4.3). */
export const idJagTokenType = "urn:ietf:params:oauth:token-type:id-jag";

/** Advertises in the metadata that a server redeems ID-JAGs (the same draft, section 7.2). */
export const idJagGrantProfile = "urn:ietf:params:oauth:grant-profile:id-jag";
