/** The environment variable with the secret that encrypts keys in the store. */
export const secretVariable = "HALLPASS_SECRET";

/** The environment variable with the secret that `key reseal` replaces. */
export const earlierSecretVariable = "HALLPASS_OLD_SECRET";
