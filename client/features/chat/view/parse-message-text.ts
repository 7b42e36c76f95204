import { charactersOf } from '#shared/normalization/cut-text.ts';

const LINK = /https?:\/\/[^\s<>"]+/giu;
/** Punctuation that ends a sentence rather than an address. */
const AFTER_LINK = /[.,:;!?'’”)\]}*_~]+$/u;

export interface TextSpan {
  text: string;
  /** An http or https address; null for plain text. */
  href: string | null;
}

/** Splits a message into plain text and web addresses. */
export function splitLinks(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = withoutTail(found);
    const href = addressOf(link);
    if (!href) continue;
    if (index > end) spans.push({ text: text.slice(end, index), href: null });
    spans.push({ text: link, href });
    end = index + link.length;
  }
  if (end < text.length) spans.push({ text: text.slice(end), href: null });
  return spans;
}

/** Removes punctuation at the end; a closing bracket stays where it was opened in the address. */
function withoutTail(found: string): string {
  const trimmed = found.replace(AFTER_LINK, '');
  const opened = trimmed.split('(').length - trimmed.split(')').length;
  return opened > 0 && found[trimmed.length] === ')' ? `${trimmed})` : trimmed;
}

function addressOf(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { protocol, href, username, password } = new URL(link);
  // 'https://bank.example@evil.example' looks like another site.
  if (username || password) return null;
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

const FEW = 6;
/** A longer text cannot consist of so few emoji. */
const FEW_UNITS = 200;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;

/** Whether a message consists of a few emoji, which are then shown larger. */
export function isFewEmoji(text: string): boolean {
  if (text.length > FEW_UNITS) return false;
  const pictures = [...charactersOf(text)].filter((character) => character.trim() !== '');
  return (
    pictures.length > 0 &&
    pictures.length <= FEW &&
    pictures.every((picture) => EMOJI.test(picture))
  );
}
