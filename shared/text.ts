import { ImmutableString } from '@automerge/automerge/slim';

/** What documents keep for text: whole values, not collaborative text, at half the bytes and a tenth of the loading time. */
export type Text = ImmutableString;

/** A text as documents keep it. */
export const text = (value: string): Text => new ImmutableString(value);

/** Reads a text out of a document that anybody may have written: null when it is not one or too long. */
export function readText(value: unknown, max: number): string | null {
  const plain = value instanceof ImmutableString ? value.val : value;
  return typeof plain === 'string' && plain.length <= max ? plain : null;
}
