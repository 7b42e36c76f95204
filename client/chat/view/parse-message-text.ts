const LINK = /https?:\/\/[^\s<>"]+/giu;
/** What ends a sentence rather than an address. */
const AFTER_LINK = /[.,:;!?'’”)\]}*_~]+$/u;

export interface TextPart {
  text: string;
  /** Where it leads: http or https only; null of plain words. */
  href: string | null;
}

/** A message in pieces: its words as they are, and the web addresses in them. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = withoutTail(found);
    const href = addressOf(link);
    if (!href) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: link, href });
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** A bracket at the end belongs to the address only where it was opened in it. */
function withoutTail(found: string): string {
  const trimmed = found.replace(AFTER_LINK, '');
  const opened = trimmed.split('(').length - trimmed.split(')').length;
  return opened > 0 && found[trimmed.length] === ')' ? `${trimmed})` : trimmed;
}

function addressOf(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { protocol, href, username, password } = new URL(link);
  // 'https://bank.example@evil.example' reads as what it is not.
  if (username || password) return null;
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

const FEW = 6;
/** No emoji of so few is longer, with all that may be joined to it. */
const FEW_UNITS = 200;
/** Made when it is needed first: that takes a phone a tenth of a second. */
let characters: Intl.Segmenter | null = null;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;

/** Whether a message is nothing but a few emoji, which are then shown larger. */
export function isFewEmoji(text: string): boolean {
  if (text.length > FEW_UNITS) return false;
  characters ??= new Intl.Segmenter();
  const pictures = [...characters.segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => segment.trim() !== '');
  return (
    pictures.length > 0 &&
    pictures.length <= FEW &&
    pictures.every((picture) => EMOJI.test(picture))
  );
}
