// Signs in by passkey, and adds one. Each ceremony begins with a fresh challenge.
const toBytes = (text) => {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (each) => each.charCodeAt(0));
};
const toText = (buffer) => {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
let waiting;

async function challengeFor(form) {
  const response = await fetch(form.dataset.challenges);
  return toBytes((await response.json()).challenge);
}

function responseOf({ id, response }) {
  const text = (name) => response[name] ? toText(response[name]) : undefined;
  const common = {
    clientDataJSON: text("clientDataJSON"),
    signature: text("signature"),
    userHandle: text("userHandle"),
  };
  const isNew = "getPublicKey" in response;
  const key = isNew && response.getPublicKey();
  const members = isNew
    ? {
      authenticatorData: toText(response.getAuthenticatorData()),
      publicKey: key ? toText(key) : undefined,
      publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
      transports: response.getTransports(),
    }
    : { authenticatorData: text("authenticatorData") };
  return JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    response: { ...common, ...members },
  });
}

async function run(form, mediation) {
  waiting?.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const { rpId, creation } = form.dataset;
  const challenge = await challengeFor(form);
  const credential = creation
    ? await navigator.credentials.create({ signal, publicKey: creationOf(creation, challenge) })
    : await navigator.credentials.get({
      signal,
      mediation,
      publicKey: { challenge, rpId, userVerification: "required" },
    });
  if (!credential) return;
  form.elements.passkey.value = responseOf(credential);
  form.submit();
}

function creationOf(text, challenge) {
  const { user, excludeCredentials, ...options } = JSON.parse(text);
  return {
    ...options,
    challenge,
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(({ id }) => ({
      type: "public-key",
      id: toBytes(id),
    })),
  };
}

async function offer(form) {
  if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  // The challenge ends after ten minutes.
  setTimeout(() => offer(form), 8 * 60 * 1000);
  run(form, "conditional").catch(() => {});
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!globalThis.PublicKeyCredential) continue;
  form.querySelector("button[type=submit]").hidden = false;
  document.getElementById("passkey-unavailable")?.remove();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // The user canceled, or has no passkey: the page stays as it is.
    run(form).catch(() => form.dataset.passkey === "get" && offer(form));
  });
  if (form.dataset.passkey === "get") offer(form);
}
const list = document.getElementById("passkey-list");
if (list && globalThis.PublicKeyCredential) {
  const { rpId, userId, ids } = list.dataset;
  PublicKeyCredential.signalAllAcceptedCredentials?.({
    rpId,
    userId,
    allAcceptedCredentialIds: ids.split(" ").filter(Boolean),
  })?.catch(() => {});
}
