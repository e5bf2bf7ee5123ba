/** Returns why an installation is impossible without a network, or false; throws other errors. */
export async function reasonNotInstalled(install: () => Promise<unknown>): Promise<string | false> {
  try {
    await install();
    return false;
  } catch (cause) {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(String(cause))) throw cause;
    return "the npm registry cannot be reached";
  }
}
