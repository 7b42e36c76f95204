import { ImmutableString } from '@automerge/automerge/slim';
import { wellFormedText } from './normalization/well-formed-text.ts';

/** Documents store text as whole values, not collaborative text: half the bytes and a tenth of the loading time. */
export type Text = ImmutableString;

/** A text as documents keep it. */
export const text = (value: string): Text => new ImmutableString(wellFormedText(value));

/** Reads a text from a document that anyone may have written; null if it is not a text or too long. */
export function readText(value: unknown, max: number): string | null {
  const plain = value instanceof ImmutableString ? value.val : value;
  return typeof plain === 'string' && plain.length <= max ? plain : null;
}
