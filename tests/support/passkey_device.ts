import type { Tab } from "./chromium.ts";

/** Gives the browser an authenticator that has a passkey ready at once. */
export async function addPasskeyDevice(tab: Tab): Promise<void> {
  await tab.send("WebAuthn.enable");
  const options = {
    ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
    ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  };
  await tab.send("WebAuthn.addVirtualAuthenticator", { options });
}
