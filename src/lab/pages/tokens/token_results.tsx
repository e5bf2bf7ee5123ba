/** @jsxImportSource preact */
import type { VNode } from "preact";
import { CodeBlock } from "../parts/copy_text.tsx";
import { DecodedToken } from "../parts/decoded_token.tsx";
import { Section } from "../parts/section.tsx";
import type { PastedText } from "./explain_pasted.ts";
import type { MintedResult } from "./mint_form.tsx";

/** The tokens that were minted: each one decoded, the whole response, and the call for a test. */
export function mintedTokens({ tokens, explained, options }: MintedResult): VNode {
  const { token: _, ...response } = tokens;
  return (
    <div id="result">
      <div class="split">
        {explained.map(([name, token]) => (
          <Section title={name}>
            <DecodedToken token={token} showsText />
          </Section>
        ))}
        <Section title="The whole response">
          <CodeBlock what="token response" text={JSON.stringify(response, null, 2)} />
          <h3>The same in a test</h3>
          <CodeBlock what="call" text={`await lab.mint(${JSON.stringify(options)});`} />
        </Section>
      </div>
    </div>
  );
}

/** What was found in a text that was pasted. */
export function pastedTokens({ description, tokens }: PastedText): VNode {
  return (
    <div id="result">
      {description !== undefined && <p class="caution" role="status">{description}</p>}
      <div class="split">
        {tokens.map((token) => (
          <Section title={token.jwt.name}>
            <DecodedToken token={token} showsText />
          </Section>
        ))}
      </div>
    </div>
  );
}
