/** Members of a JWK that only its owner may know (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Says what is wrong with a key set that a client shows to others, or nothing (RFC 7591, section 2). */
export function publicKeysProblem(jwks: unknown): string | undefined {
  const keys = isObject(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys) || !keys.every(isObject)) return "must be a JWK set: an object with a list of keys";
  if (keys.some(({ kty }) => typeof kty !== "string")) return "holds a key without a 'kty'";
  if (keys.some((key) => privateMembers.some((name) => Object.hasOwn(key, name)))) return "holds a private or a symmetric key";
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
