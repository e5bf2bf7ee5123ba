import { ManagedIdentityCredential } from "@azure/identity";
import process from "node:process";

// The library remembers the service that it found, for as long as its process runs.
const [audience = "", clientId = ""] = process.argv.slice(2);
const credential = new ManagedIdentityCredential();
const { token, expiresOnTimestamp } = await credential.getToken(audience);
const other = new ManagedIdentityCredential({ clientId });
const refusal = await other.getToken(audience).catch(({ message }: Error) => message);
console.log(JSON.stringify({ token, lifetime: expiresOnTimestamp - Date.now(), refusal }));
process.exit();
