/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { Section } from "../parts/section.tsx";

interface PastePanelProps {
  page: FormOrigin;
  /** What was pasted before. */
  text: string;
}

/** Takes any text with tokens in it, and explains them. */
export function PastePanel({ page, text }: PastePanelProps): VNode {
  return (
    <Section title="Explain a token">
      <LabForm page={page} action="/tokens/explain#result" id="explain">
        <label for="text">A JWT, a token response, or any text with tokens in it</label>
        <textarea id="text" name="text" rows={6} required spellcheck={false} autocomplete="off">
          {text}
        </textarea>
        <button type="submit">Explain</button>
      </LabForm>
    </Section>
  );
}
